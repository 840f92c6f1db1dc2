import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

const HIDDEN = [
  'password',
  'new_password',
  'current_password',
  'confirmation_code',
  'code',
  'second_factor',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'cookie',
]

/** One JSON object a line. Values under names that carry secrets are cut out wherever they stand in the first three levels. */
export function createLogger(options: { level: string; role: string; destination?: DestinationStream }): Logger {
  const paths = HIDDEN.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  return pino(
    {
      level: options.level,
      base: { role: options.role },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: '[hidden]' },
      formatters: { level: (label) => ({ level: label }) },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  )
}
