"""Where the story is heading: what each scene weighs, how far it is, and how hard it pulls.

possible      whether a condition can still come to hold, and how far it does
asked         a world, asked each question once
ways          which scenes lie ahead, and how many steps away
mass          what a scene weighs                                                       F2.1
roads         how far places are from each other                                       F2.2
distance      how far the player is from it, in four dimensions                         F2.2
pull          mass, softened by distance, fading along the way; bands                   F2.3
layers        what a tale within the tale weighs, and what of it crosses                F2.5
prophecy      how strongly something foretold leans on its scene                        F2.6
ties          what relates to a scene, and what only resonates with it                  F2.7
modifier      what all of that does to the score of an item                             F2.7
temperature   how hot the scene runs, and what it favours                               F2.8
gates         how near a gate is to opening                                             F2.9
landscape     all of it, of one world
"""
