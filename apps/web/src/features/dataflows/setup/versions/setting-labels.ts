const SETTING_PHRASES: Record<string, string> = {
  trigger: 'the trigger',
  integration_trellis_code: 'the connection',
  subtasks: 'the subtasks',
  attempts: 'the attempts',
  most_minutes: 'the longest time',
  language: 'the language',
  code: 'the code',
  worksheet: 'the worksheet',
  input: 'the input',
  write: 'where rows go',
  packages: 'the packages',
  query: 'the query',
  strategy: 'the strategy',
  dataModel: 'the data model',
}

export const getSettingPhrase = (name: string): string => SETTING_PHRASES[name] ?? name

const SETTING_LABELS: Record<string, string> = {
  trigger: 'Trigger',
  eventEvaluationType: 'Scope',
  actions: 'Action',
  action: 'Kind',
  taskBlockTrellisCode: 'Activity',
  scheduleType: 'Schedule type',
  cronExpression: 'Cron expression',
  timeStandard: 'Time standard',
  hourInterval: 'Hours',
  minutesInterval: 'Minutes',
  timezone: 'Timezone',
  timeList: 'Run at',
  weekdays: 'Weekdays',
  integration_trellis_code: 'Connection',
  subtasks: 'Subtask',
  attempts: 'Attempts',
  most_minutes: 'Longest time in minutes',
  language: 'Language',
  code: 'Code',
  worksheet: 'Worksheet',
  path: 'Path',
  commit_id: 'Version',
  input: 'Input',
  sql: 'SQL',
  write: 'Write',
  schema_name: 'Schema',
  table_name: 'Table',
  strategy: 'Write mode',
  dataModel: 'Data model',
  fields: 'Type of',
  column_mapping: 'Name of',
  primary_keys: 'Primary keys',
  indexes: 'Index on',
  schema_policy: 'When columns change',
  bad_rows: 'Bad rows',
  choice: 'Choice',
  most: 'Limit',
  packages: 'Packages',
  query: 'Query',
  is_incremental: 'Reads only what is new',
  name: 'Name',
}

/** Path segments without a label. */
const SILENT = new Set(['actionValue', 'scheduleArgs', 'order'])

const humanizeKey = (key: string): string => `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`.replaceAll('_', ' ')

/** `subtasks.0.write.table_name` → `Subtask 1 › Write › Table`. */
export function describePath(path: string): string {
  const words: string[] = []
  for (const key of path.split('.')) {
    if (SILENT.has(key)) continue
    const word = /^\d+$/.test(key) ? String(Number(key) + 1) : (SETTING_LABELS[key] ?? humanizeKey(key))
    const last = words.at(-1)
    const joins =
      last !== undefined && (/^\d+$/.test(key) || last === 'Action' || last === 'Subtask' || /(of|on)$/.test(last))
    if (joins) words[words.length - 1] = `${last} ${word}`
    else words.push(word)
  }
  return words.join(' › ')
}
