import type { WorkTable } from '../runner/run-work.ts'
import { runDestination } from './destination.ts'
import { runSource } from './source.ts'
import { runTransformation } from './transformation.ts'

export const ALL_WORK: WorkTable = {
  Source: runSource,
  Transformation: runTransformation,
  Destination: runDestination,
}
