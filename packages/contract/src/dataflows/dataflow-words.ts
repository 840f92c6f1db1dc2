export const ACTIVITY_KINDS = ['Source', 'Transformation', 'Destination'] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

export const WRITE_STRATEGIES = ['Append', 'Replace', 'Upsert'] as const
export type WriteStrategy = (typeof WRITE_STRATEGIES)[number]

/** The default schema in the search path of every workspace's database. */
export const HOME_SCHEMA = 'data'

export const TASK_STATUSES = [
  'SETUP_INCOMPLETE',
  'PENDING',
  'RUNNING',
  'SUCCESS',
  'FAILED',
  'BLOCKED',
  'SYSTEM_BLOCKED',
  'SYSTEM_EXCEPTION',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const RUN_STATUSES = [
  'QUEUED',
  'SYSTEM_DEQUEUED',
  'SYSTEM_BLOCKED',
  'PROVISIONING',
  'INITIALIZING',
  'RUNNING',
  'SUCCESS',
  'FAILED',
  'EXCEPTION',
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

export const FLOW_RUN_STATES = ['running', 'succeeded', 'failed', 'needs_decision', 'cancelled'] as const

export const RUN_WAITS = ['decision'] as const

export const LOG_LEVELS = ['INFO', 'DEBUG', 'WARNING', 'ERROR'] as const

/** After downtime: every missed due time, only the latest, or none. The first is the default. */
export const MISFIRE_POLICIES = ['latest', 'all', 'none'] as const
export type MisfirePolicy = (typeof MISFIRE_POLICIES)[number]

/** While a run is in progress: queue the newest, skip, or run in parallel. */
export const OVERLAP_POLICIES = ['queue', 'skip', 'parallel'] as const
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number]

export const SCHEMA_POLICIES = ['evolve', 'ask', 'freeze'] as const
export type SchemaPolicy = (typeof SCHEMA_POLICIES)[number]

export const PRIMARY_KEY_MESSAGE = 'At least one primary key needs to be selected to enable upsert functionality.'
