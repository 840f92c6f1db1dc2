import type { CsvBatch } from '@trellis/connector-kit/batch'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { Forecast } from '@trellis/table-files/profile/forecast-csv'
import { FileFault } from '@trellis/table-files/read/byte-source'
import type { RowFault } from '@trellis/table-files/read/dialect'
import { type Passing, passCsv } from './csv-batches.ts'

/** The beginning of a file said something else than all of it. */
export class ForecastRefuted extends Error {
  readonly profile: FileProfile | undefined

  constructor(profile: FileProfile | undefined) {
    super('The beginning of the file is not like the rest of it.')
    this.profile = profile
  }
}

/** A CSV file by its own bytes, as long as they bear out what its beginning said. Gives the profile of the whole. */
export async function* passProvisional(
  passing: Passing,
  forecast: Forecast,
): AsyncGenerator<CsvBatch, FileProfile, undefined> {
  const check = forecast.follow()
  let isRefuted = false
  const onFault = (fault: RowFault) => {
    if (isRefuted) return
    try {
      passing.onFault(fault)
    } catch {
      // Too many to be held: another reading may have fewer of them.
      isRefuted = true
    }
  }
  try {
    for await (const batch of passCsv({ ...passing, onFault, watch: check })) {
      isRefuted ||= !check.isBorneOut()
      // Read to the end all the same: the next reading then knows the profile.
      if (!isRefuted) yield batch
    }
  } catch (error) {
    throw error instanceof FileFault ? new ForecastRefuted(undefined) : error
  }
  const profile = check.settle()
  if (isRefuted || !profile || !check.isBorneOut()) throw new ForecastRefuted(profile)
  return profile
}
