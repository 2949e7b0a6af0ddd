/**
 * A process that works on the tasks of the database DATABASE_URL until it is killed, with the handlers of the tests or of
 * the service.
 */

import { readConfig } from '../../src/config/config.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { openApi } from '../../src/service/service.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { testKinds } from './kinds.ts'

const database = await connect(testConfig({ url: process.env.DATABASE_URL ?? null }), quiet)
const { startTaskWorkers } = await openApi(
  database,
  readConfig([], { MILLWRIGHT_DATA_DIR: process.env.MILLWRIGHT_DATA_DIR ?? '' }, () => ''),
  quiet,
)
const kinds = process.argv[2] === 'own' ? {} : { kinds: testKinds }
await startTaskWorkers({ ...kinds, timing: { lease: 900, poll: 200 } })
