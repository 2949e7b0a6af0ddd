"""Runs modules in forks of the process that `interpreter.py` is, without a shell and a new Python for each.

All else runs as by the connection `local`. Modules are packed once for all playbooks of a home directory: reading the imports of
all that the collection shares takes longer than a request.
"""

import json
import os
import shlex
import socket

from ansible import constants
from ansible.plugins.connection.local import Connection as LocalConnection

DOCUMENTATION = """
name: forked
short_description: run modules in forks of a process that has imported what they import
description: ["Like C(local), but asks the process behind a socket where the interpreter is C(interpreter.py SOCKET)."]
options: {}
extends_documentation_fragment: [connection_pipelining]
"""

PACKED = os.path.join(constants.DEFAULT_LOCAL_TMP, 'ansiballz_cache')
if not os.path.lexists(PACKED):
    shared = os.path.expanduser('~/packed-modules')
    os.makedirs(shared, exist_ok=True)
    os.symlink(shared, PACKED)


class Connection(LocalConnection):
    transport = 'forked'

    def exec_command(self, cmd, in_data=None, sudoable=True):
        # What Ansible runs is /bin/sh -c 'interpreter.py SOCKET && sleep 0', with the module as its input.
        words = shlex.split(shlex.split(cmd)[-1])
        if not words[0].endswith('/interpreter.py'):
            return super().exec_command(cmd, in_data, sudoable)
        end = words.index('&&') if '&&' in words else len(words)
        return run(words[1], words[2:end], in_data or b'')


def run(address, words, given):
    files = [os.memfd_create(name) for name in ('in', 'out', 'err')]
    try:
        os.write(files[0], given)
        os.lseek(files[0], 0, os.SEEK_SET)
        code = ask(address, words, files)
        return code, *(read_whole(file) for file in files[1:])
    finally:
        for file in files:
            os.close(file)


def ask(address, words, files):
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        question = json.dumps({'words': words, 'folder': os.getcwd(), 'environment': dict(os.environ)})
        socket.send_fds(server, [question.encode()], files)
        server.shutdown(socket.SHUT_WR)
        return int(server.recv(16) or 1)


def read_whole(file):
    os.lseek(file, 0, os.SEEK_SET)
    with open(file, 'rb', closefd=False) as opened:
        return opened.read()
