"""A chat client's requests, answered with a window in place of their history.

    transcript   what a request says happened: an opening, and rounds of a line and its answer
    chat_index   which run has lived through which rounds, by content
    following    bring a run in step with a client's history: swipes, edits, forks
    chat_story   the story of a chat that has none: its cast, and one place
    exchange     what goes upstream, and what comes back
    upstream     the endpoint that answers

What happened is what the client shows: the history of a request is the truth, and a run follows it.
So swipes, deleted messages, edits and branches need no message of their own. An answer is rendered
when it ends; if it never ends, or the request was not clearly a turn, the next history has it.
"""
