import { setTimeout as sleep } from 'node:timers/promises'
import { databaseConfigOf } from '../config.ts'
import { connect } from '../database/connect.ts'
import { listApplied } from '../database/migrate.ts'
import { formatReplicaName, type Position, readPosition, readReplayed } from '../database/replica.ts'
import type { Db } from '../database/sql.ts'
import type { Finding } from './finding.ts'
import type { Workplace } from './workplace.ts'

/** Examines each configured replica. */
export async function examineReplicas(at: Workplace): Promise<Finding[]> {
  const found: Finding[] = []
  for (const url of at.config.replicaUrls) found.push(await examineReplica(at, url))
  return found
}

async function examineReplica({ database, config, log }: Workplace, url: string): Promise<Finding> {
  const about = `Replica ${formatReplicaName(url)}`
  try {
    await using replica = await connect(
      { ...databaseConfigOf(config), url, directUrl: null, replicaUrls: [], poolSize: 1 },
      log,
    )
    return { about, ...(await compare(database.db, replica.db)) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const message = `It cannot be asked: ${cause instanceof Error ? cause.message : String(cause)}.`
    return { about, status: 'failed', message, advice: `See whether it runs, and lets this user in. ${MEANWHILE}` }
  }
}

const MEANWHILE = 'Everything is read from the primary meanwhile.'
const PATIENCE_MS = 5000
const STEP_MS = 100

async function compare(primary: Db, replica: Db): Promise<Omit<Finding, 'about'>> {
  const wanted = await readPosition(primary)
  const start = performance.now()
  let found = await readReplayed(replica)
  if (found === null) {
    const message = 'It follows no other server: it is the primary itself, or has been promoted.'
    return { status: 'failed', message, advice: `Name a standby in MILLWRIGHT_REPLICA_URLS. ${MEANWHILE}` }
  }
  if (found.cluster !== wanted.cluster) {
    const message = 'It follows a server that is not the one of DATABASE_URL.'
    return { status: 'failed', message, advice: `Make it anew from that one, with pg_basebackup. ${MEANWHILE}` }
  }
  while (found && isBehind(found, wanted) && performance.now() - start < PATIENCE_MS) {
    await sleep(STEP_MS)
    found = await readReplayed(replica)
  }
  const waited = ((performance.now() - start) / 1000).toFixed(1)
  if (!found || isBehind(found, wanted)) return describeLag(found, wanted, waited)
  const [there, here] = [await listApplied(replica), await listApplied(primary)]
  if (there.length !== here.length) {
    const message = `It has ${there.length} migrations, the primary ${here.length}.`
    return { status: 'warning', message, advice: 'A migration is running, or has just ended: ask again.' }
  }
  return { status: 'ok', message: `It is a standby with the same schema, and had everything after ${waited} seconds.` }
}

function isBehind(found: Position, wanted: Position): boolean {
  return found.timeline !== wanted.timeline || found.lsn < wanted.lsn
}

function describeLag(found: Position | null, wanted: Position, waited: string): Omit<Finding, 'about'> {
  const mebibytes = found ? Number((wanted.lsn - found.lsn) / 1024n) / 1024 : 0
  const much = found?.timeline === wanted.timeline ? `, and ${mebibytes.toFixed(1)} MiB of the log are missing` : ''
  const message = `It lacks what the primary had ${waited} seconds ago${much}.`
  const advice =
    'See whether its replay is paused (pg_wal_replay_resume), a long query holds it up, or its network is slow.'
  return { status: 'warning', message, advice: `${advice} ${MEANWHILE}` }
}
