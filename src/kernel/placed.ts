import type { Placed, Resource } from './definition.ts'
import type { Stored } from './record.ts'

/** Finds a field of a resource by its name in the declaration, if it has one of that name. */
export function findPlaced({ placed }: Pick<Resource, 'placed'>, field: string | undefined): Placed | undefined {
  return placed.find(({ name }) => name === field)
}

/** A link to one record: the resource that it leads to, and the column with the id. */
interface Link {
  readonly target: Resource
  readonly column: string
}

/** Lists the links to one record each among these fields, in their order; default: among all. */
export function listLinks(
  resource: Resource,
  fields: readonly (string | undefined)[] = resource.placed.map(({ name }) => name),
): Link[] {
  return fields.flatMap((name) => {
    const { field, at, column } = findPlaced(resource, name) ?? {}
    return column && at && field?.refersTo ? [{ target: at.target(field.refersTo.resource), column: column.name }] : []
  })
}

/** Yields the name of a field in stored rows and in messages: that of its column, or its own. */
export function keyOf({ name, column }: Placed): string {
  return column?.name ?? name
}

/** Yields the name of a field in audits. */
export function auditKeyOf({ name, at, column, elsewhere }: Placed): string {
  return column?.name ?? elsewhere?.auditedAs(at) ?? name
}

/** Yields the stored value of a field. */
export function storedOf(placed: Placed, stored: Stored): unknown {
  return stored[keyOf(placed)]
}
