"""Canon: what characters may lean on, and the shapes in which they are told and act.

    registry     which sources there are, at which version, under which terms
    persona      who somebody is, as a card of its own
    situation    where everything is, who can perceive it, what may be done
    brief        what one character gets in one turn
    action       what it does with it
    chronicle    how a log of turns is to be written up
    files        all of these from YAML and back, every problem with its line

Everything that comes from a source carries `source_id@version` to the end.
"""
