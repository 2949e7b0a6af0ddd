import { type Parameter, readParameter, segmentParameter } from './parameters.ts'

/** One thing that can be done with a resource. */
export interface Action {
  readonly name: string
  readonly summary: string
  readonly apis: readonly { readonly method: string; readonly path: string }[]
  readonly parameters: readonly Parameter[]
}

/**
 * What clients want to find before they start at all, also where this service has no such resource (clients.md §2, §6): the
 * routes that are named here and not served answer 404. A line is a method and a path, then parameters.
 */
const DESCRIBED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  content_view_filters: {
    index:
      'GET /katello/api/content_view_filters search order page# per_page# sort_by sort_order full_result? content_view_id# name types[]',
    show: 'GET /katello/api/content_view_filters/:id',
    create:
      'POST /katello/api/content_view_filters content_view_id#! name! type! original_packages? inclusion? repository_ids[] description original_module_streams?',
    update:
      'PUT /katello/api/content_view_filters/:id name original_packages? inclusion? repository_ids[] description original_module_streams?',
    destroy: 'DELETE /katello/api/content_view_filters/:id',
  },
  content_view_filter_rules: {
    index:
      'GET /katello/api/content_view_filters/:content_view_filter_id/rules search order page# per_page# sort_by sort_order full_result? name errata_id',
    show: 'GET /katello/api/content_view_filters/:content_view_filter_id/rules/:id',
    create:
      'POST /katello/api/content_view_filters/:content_view_filter_id/rules name[] uuid version architecture min_version max_version errata_id errata_ids[] start_date end_date types[] date_type module_stream_ids[]',
    update:
      'PUT /katello/api/content_view_filters/:content_view_filter_id/rules/:id name uuid version architecture min_version max_version errata_id start_date end_date types[] date_type',
    destroy: 'DELETE /katello/api/content_view_filters/:content_view_filter_id/rules/:id',
  },
}

/** Those of them that none of the served actions are. */
export function actionsNotServed(
  served: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): Readonly<Record<string, readonly Action[]>> {
  return Object.fromEntries(
    Object.entries(DESCRIBED)
      .filter(([resource]) => !served.has(resource))
      .map(([resource, actions]) => [resource, Object.entries(actions).map(([name, line]) => read(name, line))]),
  )
}

function read(name: string, line: string): Action {
  const [method = '', path = '', ...parameters] = line.split(' ')
  const segments = [...path.matchAll(/:(\w+)/g)].map(([, segment = '']) => segmentParameter(segment, true))
  return {
    name,
    summary: '',
    apis: [{ method, path }],
    parameters: [...segments, ...parameters.map((one) => readParameter(one))],
  }
}

/** What some actions read from queries beside what their schemas say. */
const ALSO_READ: Readonly<Record<string, string>> = {
  'common_parameters.index': 'show_hidden?',
  'common_parameters.show': 'show_hidden?',
  'parameters.index': 'show_hidden?',
  'parameters.show': 'show_hidden?',
  'domains.show': 'show_hidden_parameters?',
  'hostgroups.show': 'show_hidden_parameters?',
  'hosts.show': 'show_hidden_parameters?',
  'locations.show': 'show_hidden_parameters?',
  'operatingsystems.show': 'show_hidden_parameters?',
  'organizations.show': 'show_hidden_parameters?',
  'subnets.show': 'show_hidden_parameters?',
}

/** The parameters of an action that its schemas do not name. */
export function alsoRead(resource: string, action: string): Parameter[] {
  const line = ALSO_READ[`${resource}.${action}`]
  return line === undefined ? [] : line.split(' ').map((one) => readParameter(one))
}
