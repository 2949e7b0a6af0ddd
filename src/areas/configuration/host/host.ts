import type { Around } from '../../../kernel/index.ts'
import { nestArounds } from '../../../records/around.ts'
import { buildClassFields, CLASS_KEYS } from '../configclass/applied.ts'
import { classAssignments } from '../configclass/assignments.ts'
import { type InEnvironment, resolveClasses } from '../configclass/resolve-classes.ts'
import { assignedSearch } from '../configclass/search.ts'
import { overrideWrites } from '../override-value/override-writes.ts'
import { enc } from './enc.ts'
import { classification } from './explain.ts'
import { whatIf } from './what-if.ts'

const keepClasses: Around<InEnvironment> = {
  keepsCreated: true,
  create: async (ctx, draft, next) => next({ ...draft, ...(await resolveClasses(ctx, draft, null)) }),
  update: async (ctx, stored, draft, next) => next({ ...draft, ...(await resolveClasses(ctx, draft, stored)) }),
}

/** The contribution of configuration to hosts: classes, node document and explanations (smart-parameters §5, §8). */
export const hostClasses = {
  fields: buildClassFields('host'),
  keys: CLASS_KEYS,
  search: assignedSearch('host'),
  around: nestArounds(overrideWrites('host'), keepClasses),
  actions: [enc, classification, whatIf, ...classAssignments('host')],
} as const

/** The contribution of configuration to host groups: classes (smart-parameters §8). */
export const hostgroupClasses = {
  fields: buildClassFields('hostgroup'),
  keys: CLASS_KEYS,
  search: assignedSearch('hostgroup'),
  around: overrideWrites('hostgroup'),
  actions: classAssignments('hostgroup'),
} as const
