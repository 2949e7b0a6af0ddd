import { formatExplanation, formatOverview, operationOf } from './description/explanation.ts'
import { openLaboratory } from './description/laboratory.ts'
import { openSampleDatabase } from './description/sample-database.ts'
import { formatExperiments } from './description/sql.ts'

// Prints everything that is derived from the declaration of a resource. Usage: npm run explain [-- NAME], e.g. npm run
// explain architecture
const [word] = process.argv.slice(2)
await using database = await openSampleDatabase()
await using laboratory = await openLaboratory(database)
const { registry, routes } = laboratory

const route = routes.find(({ id }) => id === word)
const resource = [...registry.values()].find(({ name, plural }) => [name, plural].includes(route?.group ?? word ?? ''))
if (word === undefined) console.log(formatOverview(registry, routes))
else if (!resource) {
  console.error(
    `There is no resource and no route called ${word}. These are the resources:\n${formatOverview(registry, routes)}`,
  )
  process.exitCode = 2
} else {
  const shown = routes.filter(({ id, group }) => (route ? id === route.id : group === resource.plural))
  console.log(formatExplanation(resource, shown))
  const experiments = await laboratory.tryOut(resource)
  const about = experiments.filter((one) => !route || operationOf(one.route) === operationOf(route))
  console.log(`\nSQL\n\n${formatExperiments(about)}`)
}
