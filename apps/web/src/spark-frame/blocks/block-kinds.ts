import type { SparkBlock } from '@trellis/contract/sparks/spark-content.schemas'

export type BlockOf<Kind extends SparkBlock['kind']> = Extract<SparkBlock, { kind: Kind }>
