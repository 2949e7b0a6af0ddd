"""Makes a domain: samba-provision.py FOLDER REALM DOMAIN ADDRESS PASSWORD

As `samba-tool domain provision` does, but without access control lists on files, which only root may set, and not everywhere.
"""
import grp
import logging
import os
import pwd
import sys

from samba.auth import system_session
from samba.dsdb import DS_DOMAIN_FUNCTION_2008_R2
from samba.param import LoadParm
from samba.provision import provision

folder, realm, domain, address, password = sys.argv[1:]
settings = os.path.join(folder, "base.conf")  # keeps the system's own out
with open(settings, "w") as file:
    file.write(f"[global]\n pid directory = {folder}\n ncalrpc dir = {folder}/ncalrpc\n ldb:nosync = yes\n log file = {folder}/log\n")
parameters = LoadParm()
parameters.load(settings)
provision(
    logging.getLogger("provision"), system_session(), smbconf=settings, targetdir=folder, lp=parameters,
    realm=realm, domain=domain, hostname="dc1", hostip=address, adminpass=password,
    serverrole="active directory domain controller", dns_backend="NONE", dom_for_fun_level=DS_DOMAIN_FUNCTION_2008_R2,
    use_rfc2307=True, skip_sysvolacl=True, useeadb=True,
    root=pwd.getpwuid(os.getuid()).pw_name, users=grp.getgrgid(os.getgid()).gr_name,
)
