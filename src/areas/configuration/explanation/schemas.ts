import { z } from 'zod'

const id = (what: string) => z.int().meta({ description: `Id of the ${what}.` })
const value = z.json().meta({ description: 'A value of its type; ***** while it is hidden; null for none.' })
const match = z.string().meta({ description: 'A match text, e.g. `os=Debian 12.4`.' })
const position = z.int().meta({ description: 'Position of the match among all that apply to the host, from 1.' })

const author = z
  .object({
    user: z.string().nullable().meta({ description: 'Login of the user at that time.' }),
    action: z.string().meta({ description: 'What the user did: create or update.' }),
    at: z.string().meta({ description: 'Time of the change.' }),
    audit_id: id('audit'),
  })
  .nullable()
  .meta({
    description: 'The last change of the value; null without an audit of it, or if the caller may not read audits.',
  })

/** The keys of an outcome: what a host gets of a parameter. */
export const OUTCOME = {
  status: z
    .enum(['value', 'absent', 'failure'])
    .meta({ description: 'A value, none, or a failure for which the classification of the host is refused.' }),
  value,
  message: z.string().nullable().meta({ description: 'Reason why there is no value.' }),
}

const outcome = z.object(OUTCOME).meta({ description: 'Resulting value of the host.' })

/** The keys that name a parameter. */
export const PARAMETER = {
  id: id('parameter'),
  parameter: z.string().meta({ description: 'Its name.' }),
  configclass_id: id('config class'),
  configclass_name: z.string().meta({ description: 'The class it belongs to.' }),
  parameter_type: z.string().nullable().meta({ description: 'Its type.' }),
  required: z.boolean().meta({ description: 'Without a value the classification is refused.' }),
  merge_overrides: z.boolean().meta({ description: 'All values that match are merged.' }),
  merge_default: z.boolean().meta({ description: 'The default takes part in that.' }),
  avoid_duplicates: z.boolean().meta({ description: 'Merged lists hold each value once.' }),
}

const override = {
  override_value_id: z.int().nullable().meta({ description: 'Id of the override; null for the default.' }),
  match: z.string().nullable().meta({ description: 'Its match text; null for the default.' }),
}

const flip = z.union([
  z
    .object({ change: z.literal('add').meta({ description: 'A new override.' }), match, position })
    .meta({ description: 'An override for this text, with any new value, would change what the host gets.' }),
  z
    .object({
      change: z.literal('attribute').meta({ description: 'Another attribute.' }),
      attribute: z.string().meta({ description: 'Name of the attribute.' }),
      from: z.string().meta({ description: 'Current value of the attribute; blank for none.' }),
      to: z.string().meta({ description: 'Value that the attribute would need.' }),
      ...override,
      result: outcome,
    })
    .meta({ description: 'Another value of an attribute of the host would.' }),
  z
    .object({
      change: z.literal('remove').meta({ description: 'Overrides that go.' }),
      override_values: z.array(z.object(override)).meta({ description: 'Overrides that would all be removed.' }),
      result: outcome,
    })
    .meta({ description: 'The end of these overrides together would.' }),
])

/** The schema of an explanation: why a host gets what it gets of a parameter. */
export const EXPLANATION = z
  .object({
    ...PARAMETER,
    applies: z.boolean().meta({ description: 'Whether the host gets the parameter.' }),
    reason: z.string().meta({ description: 'Reason of the outcome.' }),
    ...OUTCOME,
    source: z
      .enum(['default', 'override', 'merge'])
      .meta({ description: 'Source of the value, or the source it would have if the parameter applied.' }),
    default: z
      .object({
        value,
        omit: z.boolean().meta({ description: 'Whether hosts without a match do not get the parameter.' }),
        used: z.boolean().meta({ description: 'Whether it is, or is part of, what the host gets.' }),
        set_by: author,
      })
      .meta({ description: 'The value where nothing matches.' }),
    order: z.array(z.string()).meta({ description: 'The lines of the order, best first.' }),
    tried: z
      .array(
        z.object({
          position,
          line: z.string().meta({ description: 'The line of the order it comes from.' }),
          match,
          override_value_id: override.override_value_id.meta({ description: 'The override of that text, if any.' }),
        }),
      )
      .meta({
        description: 'The texts that overrides of this host can have, in the order in which they are looked up.',
      }),
    override_values: z
      .array(
        z.object({
          id: id('override')
            .nullable()
            .meta({ description: 'Id of the override; null for one that the caller may not see.' }),
          match,
          value,
          omit: z.boolean().meta({ description: 'Whether matching hosts do not get the parameter.' }),
          position: position.nullable().meta({
            description: 'Position of its match among all that apply to the host, from 1; null if it does not apply.',
          }),
          fate: z
            .enum(['chosen', 'merged', 'left out', 'outranked', 'no match'])
            .meta({ description: 'Outcome for this override.' }),
          reason: z.string().meta({ description: 'Reason of the outcome.' }),
          set_by: author,
        }),
      )
      .meta({ description: 'Every override: those that match in their order, then the others.' }),
    steps: z
      .array(z.object({ ...override, value }))
      .meta({ description: 'Merged values in their order, with the result after each step.' }),
    flips: z.array(flip).meta({
      description: 'The smallest changes that would change the answer, those first that touch the fewest hosts.',
    }),
  })
  .meta({
    title: 'ParameterExplanation',
    description: 'Explanation of the value that a host gets for a smart class parameter.',
  })
