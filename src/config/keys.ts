import type { z } from 'zod'
import * as kind from './kinds.ts'

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
    doc: 'A YAML file with any of these keys, except this one.',
  },
  host: {
    ...deriveNames('host'),
    default: '127.0.0.1',
    schema: kind.host(),
    doc: 'The address to listen on. Beyond this machine, put a reverse proxy that speaks HTTPS in front.',
  },
  port: {
    ...deriveNames('port'),
    default: '3000',
    schema: kind.integer(0, 65535, '0 picks a free port'),
    doc: 'The port to listen on.',
  },
  vendorPort: {
    ...deriveNames('vendor-port'),
    default: null,
    schema: kind.optional(kind.integer(0, 65535, '0 picks a free port')),
    doc: 'Serves the same API on a second port in the words of existing clients (docs/compatibility.md). Off when not set.',
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
    doc: 'Path of the console when a reverse proxy serves it below a path of its own, such as /fleet/. The proxy removes that path before it asks this service.',
  },
  consoleBuild: {
    ...deriveNames('console-build'),
    default: 'off',
    schema: kind.onOff(),
    doc: 'Whether a checkout whose console is not built, or older than its sources, builds it beside serving requests. npm start switches it on.',
  },
  tlsCertificate: {
    ...deriveNames('tls-certificate'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'The certificate of this service with those of its issuers, in PEM format: it then speaks HTTPS on its port, and no HTTP. Read at start; together with tls-key.',
  },
  tlsKey: {
    ...deriveNames('tls-key'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'The private key of that certificate, in PEM format, without a passphrase.',
  },
  tlsClientCa: {
    ...deriveNames('tls-client-ca'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Certificates of the authorities that sign those of smart proxies, in PEM format: clients may then show theirs, and registered smart proxies read the classification of hosts with it.',
  },
  clientVerifyHeader: {
    ...deriveNames('client-verify-header'),
    default: 'SSL_CLIENT_VERIFY',
    schema: kind.text(1, 100),
    doc: 'The header in which trusted-proxies say SUCCESS where the client has shown a certificate and they have verified it. They must remove it, and the next two, from what clients send.',
  },
  clientSubjectHeader: {
    ...deriveNames('client-subject-header'),
    default: 'SSL_CLIENT_S_DN',
    schema: kind.text(1, 100),
    doc: 'The header in which they say the subject of that certificate.',
  },
  clientCertificateHeader: {
    ...deriveNames('client-certificate-header'),
    default: 'SSL_CLIENT_CERT',
    schema: kind.text(1, 100),
    doc: 'The header in which they pass on that certificate itself, in PEM format, percent-encoded or with blanks for newlines; its alternative names then count before its subject.',
  },
  trustedProxies: {
    ...deriveNames('trusted-proxies'),
    default: '',
    schema: kind.networks(),
    doc: 'Reverse proxies whose X-Forwarded-For is believed, and REMOTE-USER where the settings allow login delegation. Nobody else can choose the address seen in audits and lock-outs, or log somebody in; so each must remove these headers from what clients send.',
  },
  dataDir: {
    ...deriveNames('data-dir'),
    default: './data',
    schema: kind.dataDirectory(),
    doc: 'Folder of the bundled PostgreSQL database, and of the encryption key if encryption-key-file is not set. Created when missing.',
  },
  postgresqlBin: {
    ...deriveNames('postgresql-bin'),
    default: null,
    schema: kind.optional(kind.path('a folder')),
    doc: 'Folder of the programs `postgres` and `initdb`, of PostgreSQL 15 or newer, that serve the data directory. When not set, those that come with this program are used, and on platforms for which none come, the newest of this machine.',
  },
  fsync: {
    ...deriveNames('fsync'),
    default: 'on',
    schema: kind.onOff(),
    doc: 'Whether a write to the bundled database is answered only when the disk has it, so that it survives a loss of power. Off, writes are quicker, and the last seconds, or the whole database, may be lost when the machine fails; what is lost with the process alone is nothing either way.',
  },
  encryptionKeyFile: {
    ...deriveNames('encryption-key-file'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'The keys that stored passwords of service accounts are encrypted with; `encryption.key` in the data directory when not set. Created when missing. Processes that share a database need the same file: one with another key does not start, and says which file is the right one.',
  },
  databaseUrl: {
    ...deriveNames('database-url'),
    variable: 'DATABASE_URL',
    secret: true,
    default: null,
    schema: kind.optional(kind.databaseUrls()),
    doc: 'A PostgreSQL server to use instead of the bundled one, or several of one cluster (`host1:5432,host2:5432`), of which the one that takes writes is used and found again when another one takes over. The flag shows its password to every user of this machine; prefer the variable.',
  },
  databaseDirectUrl: {
    ...deriveNames('database-direct-url'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.databaseUrl()),
    doc: 'The address of the server itself, where database-url is that of a pooler that shares connections between transactions: one connection of each process goes there, on which it hears what others change.',
  },
  databasePoolSize: {
    ...deriveNames('database-pool-size'),
    default: '10',
    schema: kind.integer(1, 1000),
    doc: 'The most connections one process opens to a PostgreSQL server.',
  },
  connectTimeoutMs: {
    ...deriveNames('connect-timeout'),
    default: '5s',
    schema: kind.duration('100ms', '10m'),
    doc: 'The longest a request waits for a connection to a PostgreSQL server before it is answered with 503.',
  },
  databaseWaitMs: {
    ...deriveNames('database-wait'),
    default: '10m',
    schema: kind.duration('0s', '24h'),
    doc: 'Time that a start waits for a PostgreSQL server that is away, and answers 503 meanwhile, before it gives up. 0s: a start fails at once.',
  },
  preparedStatements: {
    ...deriveNames('prepared-statements'),
    default: 'on',
    schema: kind.onOff(),
    doc: 'Whether repeated statements are prepared by name on a PostgreSQL server. Switch off behind a pooler that shares connections between transactions.',
  },
  statementTimeoutMs: {
    ...deriveNames('statement-timeout'),
    default: '30s',
    schema: kind.duration('100ms', '1h'),
    doc: 'The longest one database statement may take; the database then stops it, and the request is answered with 503.',
  },
  slowQueryMs: {
    ...deriveNames('slow-query'),
    default: '500ms',
    schema: kind.duration('0s', '1h'),
    doc: 'Statements that take this long are logged, without their values.',
  },
  adminLogin: {
    ...deriveNames('admin-login'),
    default: 'admin',
    schema: kind.text(1, 100),
    doc: 'The login of the administrator that the first start creates.',
  },
  adminPassword: {
    ...deriveNames('admin-password'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(1, 128)),
    doc: 'The password of that administrator; generated and printed once when not set. Never changes an existing account.',
  },
  passwordMemoryMiB: {
    ...deriveNames('password-memory'),
    default: '32',
    schema: kind.integer(8, 1024),
    doc: 'MiB of memory that hashing a password takes (argon2id, three passes): more makes guessing dearer, and each login too. A stored hash of another size is replaced when its user logs in next.',
  },
  bodyLimit: {
    ...deriveNames('body-limit'),
    default: '1MiB',
    schema: kind.size('1', '1GiB'),
    doc: 'The largest request body that is read; a larger one is answered with 413.',
  },
  requestTimeoutMs: {
    ...deriveNames('request-timeout'),
    default: '60s',
    schema: kind.duration('1s', '1h'),
    doc: 'Time that a client may take to send a request, and that a connection may stay silent. What the service does for a request may take longer.',
  },
  shutdownTimeoutMs: {
    ...deriveNames('shutdown-timeout'),
    default: '5s',
    schema: kind.duration('100ms', '10m'),
    doc: 'Time that requests in flight may take to finish after SIGTERM or SIGINT.',
  },
  proxyCertificate: {
    ...deriveNames('proxy-certificate'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'The certificate, in PEM format, that this service shows to smart proxies with https. Read at start; together with proxy-key.',
  },
  proxyKey: {
    ...deriveNames('proxy-key'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'The private key of that certificate, in PEM format, without a passphrase.',
  },
  proxyCa: {
    ...deriveNames('proxy-ca'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Certificates of the authorities that smart proxies are trusted by, in PEM format; what this machine trusts when not set.',
  },
  runCommands: {
    ...deriveNames('run-commands'),
    default: '',
    schema: kind.absolutePaths(),
    doc: 'Programs that smart proxies with the runner `command` may start on this machine. None when not set: whoever may edit smart proxies cannot choose what runs here.',
  },
  runWorkers: {
    ...deriveNames('run-workers'),
    default: '10',
    schema: kind.integer(0, 1000, '0: this process leaves them to others'),
    doc: 'Number of configuration runs that this process does at once. Each takes a connection to a host or a smart proxy, or a process on this machine.',
  },
  backupPassphrase: {
    ...deriveNames('backup-passphrase'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(12, 1000)),
    doc: 'For `millwright backup` and `millwright restore`: passphrase that the encryption keys in a backup are encrypted with. Whoever has a backup and this can read every stored secret.',
  },
  backupDirectory: {
    ...deriveNames('backup-directory'),
    default: null,
    schema: kind.optional(kind.path('a directory')),
    doc: 'Directory that the service puts a backup into every night, at 02:07 UTC; none are made when not set. Keep it on another disk. Without a backup-passphrase they are made without the encryption keys.',
  },
  backupKeep: {
    ...deriveNames('backup-keep'),
    default: '7',
    schema: kind.integer(1, 1000),
    doc: 'Number of nightly backups that are kept; older ones are removed.',
  },
  moveTo: {
    ...deriveNames('to'),
    secret: true,
    default: null,
    schema: kind.optional(kind.databaseUrls()),
    doc: 'For `millwright move`: the PostgreSQL database to move to. The flag shows its password to every user of this machine; prefer the variable.',
  },
  metricsPort: {
    ...deriveNames('metrics-port'),
    default: null,
    schema: kind.optional(kind.integer(0, 65535, '0 picks a free port')),
    doc: 'Serves /metrics on a port of its own. Without it and without a metrics-token there are no metrics.',
  },
  metricsToken: {
    ...deriveNames('metrics-token'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(16, 255)),
    doc: 'Serves /metrics on the port of the service to whoever sends this as a Bearer token.',
  },
  traceUrl: {
    ...deriveNames('trace-url'),
    default: null,
    schema: kind.optional(kind.httpUrl()),
    doc: 'A collector of OpenTelemetry that takes OTLP over HTTP, e.g. http://127.0.0.1:4318: requests, their statements, the directories that they ask and configuration runs are traced there. Nothing is traced when not set.',
  },
  traceToken: {
    ...deriveNames('trace-token'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(1, 4000)),
    doc: 'Token that the collector of traces is sent, as a Bearer token.',
  },
  tracePercent: {
    ...deriveNames('trace-percent'),
    default: '100',
    schema: kind.integer(0, 100),
    doc: 'Of 100 requests, how many are traced. A request that says in `traceparent` whether it is traced decides for itself.',
  },
  encUrl: {
    ...deriveNames('enc-url'),
    default: null,
    schema: kind.optional(kind.text(1, 1000)),
    doc: 'For `millwright enc`: where the service is asked for classifications, e.g. https://millwright.example.test.',
  },
  encToken: {
    ...deriveNames('enc-token'),
    flag: null,
    secret: true,
    default: null,
    schema: kind.optional(kind.text(1, 255)),
    doc: 'For `millwright enc`: a personal access token of a user with view_hosts, where no client certificate is shown.',
  },
  encCertificate: {
    ...deriveNames('enc-certificate'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'For `millwright enc`: the certificate to show to the service, in PEM format; together with enc-key.',
  },
  encKey: {
    ...deriveNames('enc-key'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'For `millwright enc`: the private key of that certificate.',
  },
  encCa: {
    ...deriveNames('enc-ca'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'For `millwright enc`: certificates of the authorities that the service is trusted by; what this machine trusts when not set.',
  },
  encCache: {
    ...deriveNames('enc-cache'),
    default: null,
    schema: kind.optional(kind.path('a directory')),
    doc: 'For `millwright enc`: where the last answer for each host is kept, to be used while the service is away. Created when missing; nothing is kept when not set.',
  },
  encFacts: {
    ...deriveNames('enc-facts'),
    default: null,
    schema: kind.optional(kind.path('a directory')),
    doc: 'For `millwright enc`: where the facts of hosts are found, a file <certname>.json for each, which is sent to the service first, by the same certificate or by an enc-token of a user with upload_facts.',
  },
  encTimeoutMs: {
    ...deriveNames('enc-timeout'),
    default: '10s',
    schema: kind.duration('100ms', '10m'),
    doc: 'For `millwright enc`: how long the service has for everything.',
  },
  logLevels: {
    ...deriveNames('log-level'),
    default: 'info',
    schema: kind.logLevels(),
    doc: 'The least important messages that are logged; parts of the program may have levels of their own, as in `info,http=warn,directory=debug`. debug adds stack traces to failures at start, and `database=trace` shows statements. Read anew at SIGHUP; the setting log_levels goes before it while the service runs.',
  },
  logFormat: {
    ...deriveNames('log-format'),
    default: 'auto',
    schema: kind.oneOf(['auto', 'json', 'text']),
    doc: 'Form of the messages on standard error; auto is text on a terminal and json elsewhere.',
  },
} satisfies Record<string, Key>

function deriveNames(name: string) {
  const variable = `MILLWRIGHT_${name.toUpperCase().replaceAll('-', '_')}`
  return { name, flag: `--${name}` as string | null, variable, secret: false }
}
