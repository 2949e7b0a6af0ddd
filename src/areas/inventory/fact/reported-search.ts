import type { Sql } from '../../../database/sql.ts'
import { compileColumnCondition, type SearchField } from '../../../search/index.ts'
import type { FieldTest } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'

/** Values of a fact for comparison, as SQL over its row `v`. */
type FactValue = Readonly<Record<string, Sql>>

/**
 * Search fields of hosts by common facts, which the configuration engine, playbooks and subscription clients name
 * differently.
 */
export const reportedSearch: readonly SearchField[] = [
  buildSearch('boot_time', 'datetime', {
    'system_uptime::seconds': selectBootTime(),
    ansible_uptime_seconds: selectBootTime(),
  }),
  buildSearch('reported.virtual', 'boolean', {
    is_virtual: selectTruth('true'),
    'virt::is_guest': selectTruth('true'),
    ansible_virtualization_role: selectTruth('guest'),
  }),
  buildSearch('reported.ram', 'integer', {
    'memory::system::total_bytes': selectInUnit(2 ** 20),
    memorysize_mb: selectInUnit(1),
    ansible_memtotal_mb: selectInUnit(1),
    'memory::memtotal': selectInUnit(2 ** 10),
  }),
  buildSearch('reported.sockets', 'integer', {
    'processors::physicalcount': selectInUnit(1),
    physicalprocessorcount: selectInUnit(1),
    ansible_processor_count: selectInUnit(1),
    'cpu::cpu_socket(s)': selectInUnit(1),
  }),
  buildSearch('reported.cores', 'integer', {
    'processors::count': selectInUnit(1),
    processorcount: selectInUnit(1),
    ansible_processor_vcpus: selectInUnit(1),
    'cpu::cpu(s)': selectInUnit(1),
  }),
  buildSearch('reported.kernel_version', 'text', buildTextValue('kernelrelease', 'ansible_kernel', 'uname::release')),
  buildSearch(
    'reported.bios_vendor',
    'text',
    buildTextValue('dmi::bios::vendor', 'bios_vendor', 'ansible_bios_vendor'),
  ),
  buildSearch(
    'reported.bios_version',
    'text',
    buildTextValue('dmi::bios::version', 'bios_version', 'ansible_bios_version'),
  ),
  buildSearch(
    'reported.bios_release_date',
    'text',
    buildTextValue('dmi::bios::release_date', 'bios_release_date', 'ansible_bios_date'),
  ),
]

function buildSearch(name: string, type: SearchField['type'], facts: FactValue): SearchField {
  const plain: SearchField = { name, type, column: null }
  const limitToReportingHosts = (about: Pick<FieldTest, 'root' | 'counting'>, condition: (value: Sql) => Sql) =>
    sql`${sql.ref(`${about.root}.id`)} in (${sql.join(
      Object.entries(facts).map(([fact, value]) => selectHosts(fact, condition(value), about.counting)),
      sql` union all `,
    )})`
  return {
    ...plain,
    explicit: true,
    viewedWith: { permission: 'view_facts', resource: 'host', column: 'host_id' },
    tables: ['fact_values', 'fact_names'],
    noCompletion: type !== 'boolean',
    cost: 120,
    virtual: ({ operator, value, ...about }, options) =>
      limitToReportingHosts(about, (column) => compileColumnCondition(plain, column, operator, value, options)),
    present: (about) => limitToReportingHosts(about, (column) => sql`${column} is not null`),
  }
}

/** Selects the hosts with a fact that meets the condition, if the caller may view it. */
function selectHosts(fact: string, condition: Sql, counting: FieldTest['counting']): Sql {
  return sql`select v.host_id from fact_values v where v.fact_name_id = (select n.id from fact_names n where n.name = ${fact})
    and ${condition}${counting ? sql` and ${counting('v')}` : sql``}`
}

/** Selects the boot time: the uptime before the moment when the fact was reported. */
function selectBootTime(): Sql {
  return sql`case when v.value ~ '^[0-9]{1,9}$' then v.updated_at - v.value::integer * interval '1 second' end`
}

function selectTruth(word: string): Sql {
  return sql`(lower(v.value) = ${word})`
}

/** Selects a number in a larger unit, rounded down. */
function selectInUnit(unit: number): Sql {
  return sql`case when v.value ~ '^[0-9]{1,15}([.][0-9]{1,9})?$' then floor(v.value::numeric / ${sql.lit(unit)})::bigint end`
}

function buildTextValue(...facts: readonly string[]): FactValue {
  return Object.fromEntries(facts.map((fact) => [fact, sql`v.value`]))
}
