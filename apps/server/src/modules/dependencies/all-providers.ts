import { ai } from './providers/ai.ts'
import type { DependencyProvider } from './provider.ts'
import { databaseAccess } from './providers/database-access.ts'
import { dataflows } from './providers/dataflows.ts'
import { explorer } from './providers/explorer.ts'
import { sparks } from './providers/sparks.ts'
import { worksheets } from './providers/worksheets.ts'

export const allProviders: readonly DependencyProvider[] = [dataflows, worksheets, sparks, ai, databaseAccess, explorer]
