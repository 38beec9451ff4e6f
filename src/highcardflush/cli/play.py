import click
@click.command()
def play() -> None:
    """Play at a table in the terminal."""
