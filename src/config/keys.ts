import type { z } from 'zod'
import { deriveNames } from './derive-names.ts'
import { SECRET_KEYS } from './secret-keys.ts'
import * as kind from './value-types.ts'

/** The declaration of one key of the configuration. */
export interface Key {
  /** The name in a configuration file; `--name` is the flag. */
  readonly name: string
  /** Null for secrets, because every user of the machine can read the arguments of a process. */
  readonly flag: string | null
  readonly variable: string
  /** The default as a person would write it; null where there is none. */
  readonly default: string | null
  readonly doc: string
  /** The value is never printed; `<variable>_FILE` may name a file that holds it. */
  readonly secret: boolean
  readonly schema: z.ZodType<unknown, string | null>
}

/**
 * The only declaration of the configuration: flags, variables, file keys, help and docs/configuration.md are derived from
 * it.
 */
export const KEYS = {
  configFile: {
    ...deriveNames('config'),
    default: null,
    schema: kind.optional(kind.path('a YAML file')),
    doc: 'A YAML file with any of these options, except this one.',
  },
  host: {
    ...deriveNames('host'),
    default: '127.0.0.1',
    schema: kind.host(),
    doc: 'Address to listen on. For access from other machines, put an HTTPS reverse proxy in front.',
  },
  port: {
    ...deriveNames('port'),
    default: '3000',
    schema: kind.integer(0, 65535, '0 picks a free port'),
    doc: 'Port to listen on.',
  },
  vendorPort: {
    ...deriveNames('vendor-port'),
    default: null,
    schema: kind.optional(kind.integer(0, 65535, '0 picks a free port')),
    doc: 'Port of a second listener for existing clients (docs/compatibility.md). Off if not set.',
  },
  vendorProfile: {
    ...deriveNames('vendor-profile'),
    default: '3.12',
    schema: kind.oneOf(['3.12', '2.5']),
    doc: 'The version that the second port announces to existing clients, which choose by it what they look for. Records are the same.',
  },
  consoleBase: {
    ...deriveNames('console-base'),
    default: '/',
    schema: kind.basePath(),
    doc: 'Path below which a reverse proxy serves the console, such as /fleet/. The proxy must remove this path from requests.',
  },
  consoleBuild: {
    ...deriveNames('console-build'),
    default: 'off',
    schema: kind.onOff(),
    doc: 'Whether a checkout builds a missing or outdated console in the background. npm start turns it on.',
  },
  tlsCertificate: {
    ...deriveNames('tls-certificate'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Certificate of this service with its chain (PEM). The port then serves HTTPS only. Read at start; requires tls-key.',
  },
  tlsKey: {
    ...deriveNames('tls-key'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Private key of that certificate (PEM), without a passphrase.',
  },
  tlsClientCa: {
    ...deriveNames('tls-client-ca'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Certificates of the authorities of smart proxies (PEM). Clients can then present certificates, and registered smart proxies can read the classification of hosts.',
  },
  clientVerifyHeader: {
    ...deriveNames('client-verify-header'),
    default: 'SSL_CLIENT_VERIFY',
    schema: kind.text(1, 100),
    doc: 'Header in which trusted-proxies send SUCCESS after they verify a client certificate. They must remove this header and the next two from client requests.',
  },
  clientSubjectHeader: {
    ...deriveNames('client-subject-header'),
    default: 'SSL_CLIENT_S_DN',
    schema: kind.text(1, 100),
    doc: 'Header with the subject of that certificate.',
  },
  clientCertificateHeader: {
    ...deriveNames('client-certificate-header'),
    default: 'SSL_CLIENT_CERT',
    schema: kind.text(1, 100),
    doc: 'Header with that certificate (PEM), percent-encoded or with spaces instead of line breaks. Its alternative names take precedence over its subject.',
  },
  trustedProxies: {
    ...deriveNames('trusted-proxies'),
    default: '',
    schema: kind.networks(),
    doc: 'Reverse proxies whose X-Forwarded-For the service trusts, and whose REMOTE-USER it trusts if the settings allow login delegation. They must remove these headers from client requests, because clients could otherwise forge addresses and logins.',
  },
  webhookAllow: {
    ...deriveNames('webhook-allow'),
    default: '',
    schema: kind.networks(),
    doc: 'Private addresses that webhooks may send to. All others of this machine and of private networks are refused, whatever name leads to them.',
  },
  dataDir: {
    ...deriveNames('data-dir'),
    default: './data',
    schema: kind.dataDirectory(),
    doc: 'Folder of the bundled PostgreSQL database, and of the encryption key unless encryption-key-file is set. Created if missing.',
  },
  postgresqlBin: {
    ...deriveNames('postgresql-bin'),
    default: null,
    schema: kind.optional(kind.path('a folder')),
    doc: 'Folder of the programs `postgres` and `initdb` (PostgreSQL 15 or newer) for the data directory. Default: the bundled ones, or the newest of this machine on platforms without bundled ones.',
  },
  fsync: {
    ...deriveNames('fsync'),
    default: 'on',
    schema: kind.onOff(),
    doc: 'Whether writes to the bundled database wait for the disk, so that they survive a power failure. Off: faster, but a failure of the machine can lose the last seconds or the whole database. A failure of the process alone never loses data.',
  },
  encryptionKeyFile: {
    ...deriveNames('encryption-key-file'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Keys that encrypt stored passwords of service accounts. Default: `encryption.key` in the data directory. Created if missing. Processes that share a database need the same file; a process with another key does not start, and names the right file.',
  },
  databaseUrl: {
    ...deriveNames('database-url'),
    variable: 'DATABASE_URL',
    secret: true,
    default: null,
    schema: kind.optional(kind.databaseUrls()),
    doc: 'PostgreSQL server to use instead of the bundled one, or several servers of a cluster (`host1:5432,host2:5432`); the service uses the one that accepts writes and follows a failover. The flag shows its password to every user of this machine; prefer the variable.',
  },
  databaseDirectUrl: {
    ...deriveNames('database-direct-url'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.databaseUrl()),
    doc: 'URL of the server itself, if database-url is a pooler in transaction mode. Each process uses one connection to it for notifications from other processes.',
  },
  databasePoolSize: {
    ...deriveNames('database-pool-size'),
    default: '10',
    schema: kind.integer(1, 1000),
    doc: 'Maximum number of connections from one process to a PostgreSQL server.',
  },
  connectTimeoutMs: {
    ...deriveNames('connect-timeout'),
    default: '5s',
    schema: kind.duration('100ms', '10m'),
    doc: 'Maximum time that a request waits for a database connection before it gets 503.',
  },
  databaseWaitMs: {
    ...deriveNames('database-wait'),
    default: '10m',
    schema: kind.duration('0s', '24h'),
    doc: 'Maximum time that a start waits for an unavailable PostgreSQL server. Meanwhile it answers 503. 0s: the start fails at once.',
  },
  preparedStatements: {
    ...deriveNames('prepared-statements'),
    default: 'on',
    schema: kind.onOff(),
    doc: 'Whether to use named prepared statements. Turn it off behind a pooler in transaction mode.',
  },
  statementTimeoutMs: {
    ...deriveNames('statement-timeout'),
    default: '30s',
    schema: kind.duration('100ms', '1h'),
    doc: 'Time limit of one database statement. The database cancels a longer one, and the request gets 503.',
  },
  slowQueryMs: {
    ...deriveNames('slow-query'),
    default: '500ms',
    schema: kind.duration('0s', '1h'),
    doc: 'Logs statements that take at least this long, without their values.',
  },
  adminLogin: {
    ...deriveNames('admin-login'),
    default: 'admin',
    schema: kind.text(1, 100),
    doc: 'Login of the administrator that the first start creates.',
  },
  adminPassword: {
    ...deriveNames('admin-password'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(1, 128)),
    doc: 'Password of that administrator. If not set, the first start generates it and prints it once. Never changes an existing account.',
  },
  passwordMemoryMiB: {
    ...deriveNames('password-memory'),
    default: '32',
    schema: kind.integer(8, 1024),
    doc: 'Memory in MiB for hashing a password (argon2id, three passes). More makes guessing and logins more expensive. The next login of a user replaces a hash of another size.',
  },
  bodyLimit: {
    ...deriveNames('body-limit'),
    default: '1MiB',
    schema: kind.size('1', '1GiB'),
    doc: 'Maximum size of a request body; a larger one gets 413.',
  },
  requestTimeoutMs: {
    ...deriveNames('request-timeout'),
    default: '60s',
    schema: kind.duration('1s', '1h'),
    doc: 'Time limit for receiving a request, and for idle connections. Processing a request may take longer.',
  },
  shutdownTimeoutMs: {
    ...deriveNames('shutdown-timeout'),
    default: '5s',
    schema: kind.duration('100ms', '10m'),
    doc: 'Time limit for requests in flight after SIGTERM or SIGINT.',
  },
  proxyCertificate: {
    ...deriveNames('proxy-certificate'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Certificate (PEM) of this service for requests to smart proxies by HTTPS. Read at start; requires proxy-key.',
  },
  proxyKey: {
    ...deriveNames('proxy-key'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Private key of that certificate (PEM), without a passphrase.',
  },
  proxyCa: {
    ...deriveNames('proxy-ca'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Certificates of trusted authorities for smart proxies (PEM). Default: those of this machine.',
  },
  ...SECRET_KEYS,
  runCommands: {
    ...deriveNames('run-commands'),
    default: '',
    schema: kind.absolutePaths(),
    doc: 'Programs that smart proxies with the runner `command` may start on this machine. None by default. The API cannot change this list.',
  },
  runWorkers: {
    ...deriveNames('run-workers'),
    default: '10',
    schema: kind.integer(0, 1000, '0: this process leaves them to others'),
    doc: 'Maximum number of parallel configuration runs of this process. Each needs a connection to a host or smart proxy, or a process on this machine.',
  },
  backupPassphrase: {
    ...deriveNames('backup-passphrase'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(12, 1000)),
    doc: 'For `millwright backup` and `millwright restore`: passphrase that encrypts the encryption keys in a backup. A backup and its passphrase reveal every stored secret.',
  },
  backupDirectory: {
    ...deriveNames('backup-directory'),
    default: null,
    schema: kind.optional(kind.path('a directory')),
    doc: 'Directory for nightly backups at 02:07 UTC; none if not set. Use another disk. Without a backup-passphrase, backups omit the encryption keys.',
  },
  backupKeep: {
    ...deriveNames('backup-keep'),
    default: '7',
    schema: kind.integer(1, 1000),
    doc: 'Number of nightly backups to keep.',
  },
  auditArchive: {
    ...deriveNames('audit-archive'),
    default: null,
    schema: kind.optional(kind.path('a directory')),
    doc: 'Directory for audits and other events before they are deleted, as compressed JSON lines by month; none if not set.',
  },
  moveTo: {
    ...deriveNames('to'),
    secret: true,
    default: null,
    schema: kind.optional(kind.databaseUrls()),
    doc: 'For `millwright move`: the target PostgreSQL database. The flag shows its password to every user of this machine; prefer the variable.',
  },
  metricsPort: {
    ...deriveNames('metrics-port'),
    default: null,
    schema: kind.optional(kind.integer(0, 65535, '0 picks a free port')),
    doc: 'Serves /metrics on a separate port. Without this option and without metrics-token, metrics are off.',
  },
  metricsToken: {
    ...deriveNames('metrics-token'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(16, 255)),
    doc: 'Serves /metrics on the port of the service to requests with this Bearer token.',
  },
  traceUrl: {
    ...deriveNames('trace-url'),
    default: null,
    schema: kind.optional(kind.httpUrl()),
    doc: 'OpenTelemetry collector (OTLP over HTTP), e.g. http://127.0.0.1:4318. The service sends traces of requests, SQL statements, directory queries and configuration runs. Off if not set.',
  },
  traceToken: {
    ...deriveNames('trace-token'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(1, 4000)),
    doc: 'Bearer token for the trace collector.',
  },
  tracePercent: {
    ...deriveNames('trace-percent'),
    default: '100',
    schema: kind.integer(0, 100),
    doc: 'Percentage of requests to trace. A `traceparent` header with a sampling flag takes precedence.',
  },
  encUrl: {
    ...deriveNames('enc-url'),
    default: null,
    schema: kind.optional(kind.text(1, 1000)),
    doc: 'For `millwright enc`: URL of the service, e.g. https://millwright.example.test.',
  },
  encToken: {
    ...deriveNames('enc-token'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(1, 255)),
    doc: 'For `millwright enc`: personal access token of a user with view_hosts, if you use no client certificate.',
  },
  encCertificate: {
    ...deriveNames('enc-certificate'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'For `millwright enc`: client certificate (PEM); requires enc-key.',
  },
  encKey: {
    ...deriveNames('enc-key'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'For `millwright enc`: private key of that certificate.',
  },
  encCa: {
    ...deriveNames('enc-ca'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'For `millwright enc`: certificates of trusted authorities. Default: those of this machine.',
  },
  encCache: {
    ...deriveNames('enc-cache'),
    default: null,
    schema: kind.optional(kind.path('a directory')),
    doc: 'For `millwright enc`: folder for the last answer per host, for times when the service is unavailable. Created if missing; off if not set.',
  },
  encFacts: {
    ...deriveNames('enc-facts'),
    default: null,
    schema: kind.optional(kind.path('a directory')),
    doc: 'For `millwright enc`: folder with the facts of hosts, one file <certname>.json per host. The command uploads it first, with the same certificate, or with an enc-token of a user with upload_facts.',
  },
  encTimeoutMs: {
    ...deriveNames('enc-timeout'),
    default: '10s',
    schema: kind.duration('100ms', '10m'),
    doc: 'For `millwright enc`: time limit for the whole command.',
  },
  logLevels: {
    ...deriveNames('log-level'),
    default: 'info',
    schema: kind.logLevels(),
    doc: 'Minimum level of logged messages; parts of the program can have their own levels, as in `info,http=warn,directory=debug`. debug adds stack traces to failures at start, and `database=trace` shows statements. Reread at SIGHUP; the setting log_levels overrides it.',
  },
  logFormat: {
    ...deriveNames('log-format'),
    default: 'auto',
    schema: kind.oneOf(['auto', 'json', 'text']),
    doc: 'Format of messages on standard error; auto is text on a terminal and json elsewhere.',
  },
} satisfies Record<string, Key>
