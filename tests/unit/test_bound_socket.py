"""The socket that `retenir serve` listens on."""

import socket

import click
import pytest

from app.cli.serve import bound_socket


def test_answers_do_not_wait_for_an_acknowledgement() -> None:
    """Asyncio switches Nagle's algorithm off on sockets that name TCP, else each answer comes 40 ms late."""
    with bound_socket("127.0.0.1", 0) as listener:
        assert (listener.type, listener.proto) == (socket.SOCK_STREAM, socket.IPPROTO_TCP)


def test_an_address_that_is_taken_is_refused_in_words() -> None:
    with bound_socket("127.0.0.1", 0) as first:
        first.listen()
        with pytest.raises(click.ClickException, match="RETENIR_PORT"):
            bound_socket("127.0.0.1", first.getsockname()[1])
