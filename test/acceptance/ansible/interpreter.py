"""Runs Python programs in forks of this process, which has imported what the modules of the collection import.

Importing it takes most of the time of a module. `connections/forked.py` sends a program, or the path of one, to its socket.
"""

import json
import os
import socket
import sys


def serve(address):
    import requests  # noqa: F401
    import yaml  # noqa: F401
    from ansible.module_utils import basic, urls  # noqa: F401
    from ansible_collections.theforeman.foreman.plugins.module_utils import foreman_helper  # noqa: F401

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print('ready', flush=True)
        while True:
            client, _ = listener.accept()
            with client:
                # Modules of one host run one after another.
                client.send(str(answer(client)).encode())


def answer(client):
    question, files, _, _ = socket.recv_fds(client, 65536, 3)
    while part := client.recv(65536):
        question += part
    child = os.fork()
    if child == 0:
        os._exit(run(json.loads(question), files))
    for file in files:
        os.close(file)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run(question, files):
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(question['folder'])
    os.environ.clear()
    os.environ.update(question['environment'])
    words = question['words']
    sys.argv = words or ['-']
    try:
        with open(words[0] if words else 0, encoding='utf-8', closefd=bool(words)) as program:
            source = program.read()
        exec(compile(source, sys.argv[0], 'exec'), {'__name__': '__main__', '__file__': sys.argv[0]})
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == '__main__':
    serve(sys.argv[1])
