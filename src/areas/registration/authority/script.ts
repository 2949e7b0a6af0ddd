import { SUBSCRIPTION_CLIENT } from '../../../words/protocols.ts'

/** The values of a registration script. */
export interface ScriptOptions {
  /** URL of the service, without a slash at the end. */
  readonly base: string
  readonly token: string
  /** Label of the organization. */
  readonly owner: string
  /** Names of activation keys; without any the host is created without content. */
  readonly keys: readonly string[]
  /** Values for the host that are sent after its registration, by keys of `POST /register`. */
  readonly host: Readonly<Record<string, string>>
  readonly packages: readonly string[]
  readonly repository: string | null
  readonly repositoryKey: string | null
  readonly updatePackages: boolean
  readonly force: boolean
  readonly ignoreClientErrors: boolean
  readonly insecure: boolean
  /** PEM certificates of the service; null when another server terminates TLS. */
  readonly certificates: string | null
}

/** Quotes text as one word of a shell command. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Formats the command that fetches the script and executes it (content-api §5.1). */
export function formatFetchCommand(url: string, token: string, insecure: boolean): string {
  const curl = `curl -sS${insecure ? ' --insecure' : ''}`
  return `set -o pipefail && ${curl} ${quoteForShell(url)} -H ${quoteForShell(`Authorization: Bearer ${token}`)} | bash`
}

/** Formats a script that prints a message and fails (content-api §5.1). */
export function formatFailingScript(message: string): string {
  return `echo ${quoteForShell(`ERROR: ${message.replace(/\s+/g, ' ')}`)} >&2\nexit 1\n`
}

/** Formats the registration script, for a POSIX shell; all values are quoted. */
export function formatRegistrationScript(options: ScriptOptions): string {
  const parts = [
    PROLOGUE,
    options.repository === null ? '' : addRepository(options.repository, options.repositoryKey),
    options.keys.length > 0 ? registerWithClient(options) : `set -- --data-urlencode "host[name]=$(hostname -f)"\n`,
    report(options),
    options.updatePackages ? 'update_packages\n' : '',
    options.packages.length > 0 ? `install_packages ${options.packages.map(quoteForShell).join(' ')}\n` : '',
    'echo "# This host is registered."\n}\n',
    // Commands of the script must not read standard input, from which the shell reads the script itself.
    'main </dev/null\n',
  ]
  return parts.filter((part) => part !== '').join('\n')
}

const PROLOGUE = `#!/bin/sh
# Registers this host. It changes the configuration of packages and must run as root.
set -e
main() {

if [ "$(id -u)" -ne 0 ]; then
  echo 'ERROR: this has to run as root.' >&2
  exit 1
fi

if command -v dnf >/dev/null 2>&1; then
  manager=dnf
  install_packages() { dnf install -y "$@"; }
  update_packages() { dnf upgrade -y; }
elif command -v yum >/dev/null 2>&1; then
  manager=yum
  install_packages() { yum install -y "$@"; }
  update_packages() { yum update -y; }
elif command -v zypper >/dev/null 2>&1; then
  manager=zypper
  install_packages() { zypper --non-interactive install "$@"; }
  update_packages() { zypper --non-interactive update; }
elif command -v apt-get >/dev/null 2>&1; then
  manager=apt
  install_packages() { DEBIAN_FRONTEND=noninteractive apt-get install -y "$@"; }
  update_packages() { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get upgrade -y; }
else
  echo 'ERROR: there is no package manager here that is known: dnf, yum, zypper, apt-get.' >&2
  exit 1
fi
`

function addRepository(url: string, key: string | null): string {
  return `repository=${quoteForShell(url)}
repository_key=${quoteForShell(key ?? '')}
if [ "$manager" = apt ]; then
  signed=
  if [ -n "$repository_key" ]; then
    curl -sS -o /etc/apt/trusted.gpg.d/millwright.asc "$repository_key"
    signed='[signed-by=/etc/apt/trusted.gpg.d/millwright.asc] '
  fi
  echo "deb \${signed}\${repository#deb }" > /etc/apt/sources.list.d/millwright.list
  apt-get update
else
  directory=/etc/yum.repos.d
  if [ "$manager" = zypper ]; then directory=/etc/zypp/repos.d; fi
  {
    echo '[millwright]'
    echo 'name=millwright'
    echo "baseurl=$repository"
    echo 'enabled=1'
    if [ -n "$repository_key" ]; then echo 'gpgcheck=1'; echo "gpgkey=$repository_key"; else echo 'gpgcheck=0'; fi
  } > "$directory/millwright.repo"
fi
`
}

function registerWithClient(options: ScriptOptions): string {
  const { hostname, port, protocol } = new URL(options.base)
  const host = hostname.replace(/^\[|\]$/g, '')
  const configured = [
    `--server.hostname=${quoteForShell(host)}`,
    `--server.port=${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`,
    `--server.prefix=/rhsm --server.insecure=${options.insecure ? 1 : 0}`,
    '--rhsm.repo_ca_cert=/etc/rhsm/ca/millwright.pem',
  ]
  const leave = `${SUBSCRIPTION_CLIENT} unregister >/dev/null 2>&1 || true\n${SUBSCRIPTION_CLIENT} clean\n`
  const register = `${SUBSCRIPTION_CLIENT} register --org=${quoteForShell(options.owner)} --activationkey=${quoteForShell(options.keys.join(','))}`
  return `if ! command -v ${SUBSCRIPTION_CLIENT} >/dev/null 2>&1 && ! install_packages ${SUBSCRIPTION_CLIENT}; then
  echo ${quoteForShell(`ERROR: ${WITHOUT_CLIENT}`)} >&2
  exit 1
fi

mkdir -p /etc/rhsm/ca
: > /etc/rhsm/ca/millwright.pem
${writeTrust(options.certificates)}for bundle in /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/certs/ca-certificates.crt /etc/ssl/ca-bundle.pem; do
  if [ -r "$bundle" ]; then cat "$bundle" >> /etc/rhsm/ca/millwright.pem; break; fi
done
${SUBSCRIPTION_CLIENT} config ${configured.join(' ')}

${options.force ? leave : ''}${register}${options.ignoreClientErrors ? ' || true' : ''}

uuid=$(LC_ALL=C ${SUBSCRIPTION_CLIENT} identity | sed -n 's/^system identity: *//p')
if [ -z "$uuid" ]; then
  echo 'ERROR: the host has no identity after its registration.' >&2
  exit 1
fi
set -- --data-urlencode "uuid=$uuid"
`
}

const WITHOUT_CLIENT = `activation keys take ${SUBSCRIPTION_CLIENT}, which could not be installed here: name a repository that has it (repo), or take activation_keys out of the address of this script, which then needs curl only.`

function writeTrust(certificates: string | null): string {
  if (certificates === null) return ''
  return `cat >> /etc/rhsm/ca/millwright.pem <<'CERTIFICATES'\n${certificates.trim()}\nCERTIFICATES\n`
}

function report({ base, token, host, insecure }: ScriptOptions): string {
  const data = Object.entries(host).map(([key, value]) => `  --data-urlencode ${quoteForShell(`${key}=${value}`)} \\\n`)
  return `curl -sS${insecure ? ' --insecure' : ''} -X POST ${quoteForShell(`${base}/register`)} \\
  -H ${quoteForShell(`Authorization: Bearer ${token}`)} \\
${data.join('')}  "$@" | sh
`
}
