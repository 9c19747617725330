"""Games' secrets, encrypted: whoever reads the database alone cannot foretell a draw.

The stored form is a version byte, a random nonce and the AES-256-GCM ciphertext with the game's id as associated data.
"""

import os
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from eventstore.postgres import PLAIN_FORM, CannotDecrypt

_FORM = b"\x01"
_NONCE_BYTES = 12
KEY_BYTES = 32


class EncryptingBox:
    """Encrypts with the first key and decrypts with any, so that a key can be replaced while old games run."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        if not keys or any(len(key) != KEY_BYTES for key in keys):
            msg = f"every key must have {KEY_BYTES} bytes, and there must be one"
            raise ValueError(msg)
        self._ciphers = [AESGCM(key) for key in keys]

    def seal(self, secret: bytes, game_id: str) -> bytes:
        """The form that is stored."""
        nonce = os.urandom(_NONCE_BYTES)
        return _FORM + nonce + self._ciphers[0].encrypt(nonce, secret, game_id.encode())

    def open(self, sealed: bytes, game_id: str) -> bytes:
        """The secret again, also of a game from before there were keys.

        Raises: CannotDecrypt.
        """
        if sealed.startswith(PLAIN_FORM):
            return sealed[len(PLAIN_FORM) :]
        form, nonce, text = sealed[:1], sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        if form == _FORM and len(nonce) == _NONCE_BYTES:
            for cipher in self._ciphers:
                try:
                    return cipher.decrypt(nonce, text, game_id.encode())
                except InvalidTag:
                    continue
        msg = f"the secret of game {game_id} opens with none of the keys in OSTRAKA_SECRET_KEYS"
        raise CannotDecrypt(msg)
