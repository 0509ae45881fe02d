"""Evidence for questions about long chats, measured."""
