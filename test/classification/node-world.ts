import { expectCreated, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown, unique } from '../support/given.ts'

/** An environment with classes, and hosts that get some of them. */
export interface NodeWorld {
  readonly environment: Shown
  /** A class of the environment with one managed parameter, as they are after an import and an administrator. */
  readonly parameter: (facts: ParameterFacts) => Promise<Shown>
  /** A class without parameters. */
  readonly plain: (name?: string) => Promise<Shown>
  readonly host: (body?: object) => Promise<Shown>
  /** A value for those who match. */
  readonly override: (parameter: Shown, match: string, value: unknown, omit?: boolean) => Promise<Shown>
}

export interface ParameterFacts {
  readonly configclass?: Shown
  readonly name?: string
  readonly type?: string | null
  /** JSON text, as it is stored. */
  readonly value?: string
  readonly columns?: Readonly<Record<string, string | boolean | null>>
}

export async function nodeWorld(api: TestApi): Promise<NodeWorld> {
  const { admin } = api
  const environment = await given(admin, 'environment', { name: unique('env') })
  const plain = (name = unique('plain')) => given(admin, 'configclass', { name, environment_ids: [environment.id] })
  return {
    environment,
    plain,
    parameter: async ({ configclass, name, type = 'string', value, columns }) =>
      importedParameter(api, {
        configclass: configclass ?? (await plain(unique('web'))),
        ...(name !== undefined && { parameter: name }),
        ...(value !== undefined && { default_value: value }),
        columns: { override: true, parameter_type: type, ...columns },
      }),
    host: (body = {}) =>
      given(admin, 'host', { name: `${unique('node')}.example.test`, environment_id: environment.id, ...body }),
    override: (parameter, match, value, omit = false) =>
      expectCreated(
        admin.post(`/api/smart_class_parameters/${parameter.id}/override_values`, {
          override_value: { match, value, omit },
        }),
      ),
  }
}
