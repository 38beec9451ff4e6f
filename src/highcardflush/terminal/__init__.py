"""The table in the terminal: a loop over the engine that draws `view` and offers what `legal_actions` gives.

session   rounds from the first bet to the summary
menu      which rulebook, which side bets
betting, deciding, question   what the player is asked
telling, pages, advising      what the dealer, the rack card and the coach say
bots, recorder                the house's players, the file of rounds
table     what the session knows
screen, keys, glyphs          the terminal
"""
