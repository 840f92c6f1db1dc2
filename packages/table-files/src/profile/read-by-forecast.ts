import { FileFault } from '../read/byte-source.ts'
import type { RecordWatch } from '../read/csv-blocks.ts'
import type { RowFault } from '../read/dialect.ts'
import type { FileProfile } from './file-profile.ts'
import type { Forecast } from './forecast-csv.ts'

export class ForecastRefuted extends Error {
  readonly profile: FileProfile | undefined

  constructor(profile: FileProfile | undefined) {
    super('The beginning of the file is not like the rest of it.')
    this.profile = profile
  }
}

export interface RecordChecks {
  readonly watch: RecordWatch
  readonly onFault: (fault: RowFault) => void
}

interface ForecastReading<T> {
  readonly onFault: (fault: RowFault) => void
  read(checks: RecordChecks): AsyncIterable<T>
}

/** Passes on blocks as long as they confirm the profile of the beginning; returns the whole file's profile. */
export async function* readByForecast<T>(
  forecast: Forecast,
  { read, onFault }: ForecastReading<T>,
): AsyncGenerator<T, FileProfile, undefined> {
  const watch = forecast.follow()
  let isRefuted = false
  const onFaultUnlessRefuted = (fault: RowFault) => {
    if (isRefuted) return
    try {
      onFault(fault)
    } catch {
      // Too many to keep; a reading with other settings may have fewer.
      isRefuted = true
    }
  }
  try {
    for await (const block of read({ watch, onFault: onFaultUnlessRefuted })) {
      isRefuted ||= !watch.isBorneOut()
      // Reads on, so that the next reading knows the whole profile.
      if (!isRefuted) yield block
    }
  } catch (error) {
    throw error instanceof FileFault ? new ForecastRefuted(undefined) : error
  }
  const profile = watch.settle()
  if (isRefuted || !profile || !watch.isBorneOut()) throw new ForecastRefuted(profile)
  return profile
}
