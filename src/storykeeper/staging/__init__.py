"""What happened on the stage and who perceived it: declarations, cues, pieces, perception.

declaration   what a narrator says it did, read leniently, field by field
cues          what of it can be so: changes of who is where, each with who says so
pieces        a rendering cut once into what is said, done, thought and seen
perception    who perceives a piece, by what evidence, and who does not, and why
"""
