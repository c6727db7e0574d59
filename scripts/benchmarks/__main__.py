"""One entrance to all that is measured."""

import click

from scripts.benchmarks.accepted import observations, turns
from scripts.benchmarks.context import context
from scripts.benchmarks.embeddings import embeddings
from scripts.benchmarks.erasures import erasures_command
from scripts.benchmarks.export import export_command
from scripts.benchmarks.merchant import merchant
from scripts.benchmarks.pace import pace
from scripts.benchmarks.recall import recall_command
from scripts.benchmarks.search import search


@click.group()
def main() -> None:
    """Measure the service. Figures are printed, never kept: a machine's are its own.

    \b
    scripts/bench context        a memory block among 1,000 organisations: cold, warm, beside bare asyncpg
    scripts/bench turns          turns accepted a second, with the worker and without; then all are counted
    scripts/bench observations   the same of observations, one a request and a hundred
    scripts/bench search         words held to a textbook's BM25; milliseconds at some 700 and at 5,000 messages
    scripts/bench pace           searches that arrive by the clock, beside the bare embedder and bare SQL
    scripts/bench merchant       how much of the merchant gold cases is remembered
    scripts/bench recall         what is found of three sets of conversations, beside goals and BM25
    scripts/bench export         a large organisation taken away by a slow reader: memory and time
    scripts/bench erasures       a large organisation erased while its worker is killed again and again
    scripts/bench embeddings     the embedder that the settings name: cosines by meaning, thresholds, milliseconds

    Each starts a Postgres, a Valkey and a service of its own in a temporary folder, with their usual settings: what is
    accepted is on the disk; embeddings needs no servers. search, pace, recall, merchant and embeddings need the data
    folder (RETENIR_DATA), and search, recall and merchant can measure a service that runs already (--url).
    """


for command in (
    context,
    turns,
    observations,
    search,
    pace,
    recall_command,
    merchant,
    export_command,
    erasures_command,
    embeddings,
):
    main.add_command(command)

if __name__ == "__main__":
    main(prog_name="scripts/bench")
