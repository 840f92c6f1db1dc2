import type { CsvBatch } from '@trellis/connector-kit/batch'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { Forecast } from '@trellis/table-files/profile/forecast-csv'
import { FileFault } from '@trellis/table-files/read/byte-source'
import type { RowFault } from '@trellis/table-files/read/dialect'
import { type CsvCopyInput, copyCsv } from './csv-batches.ts'

export class ForecastRefuted extends Error {
  readonly profile: FileProfile | undefined

  constructor(profile: FileProfile | undefined) {
    super('The beginning of the file is not like the rest of it.')
    this.profile = profile
  }
}

/** Passes on bytes as long as they confirm the profile of the beginning; returns the whole file's profile. */
export async function* copyProvisionalCsv(
  passing: CsvCopyInput,
  forecast: Forecast,
): AsyncGenerator<CsvBatch, FileProfile, undefined> {
  const check = forecast.follow()
  let isRefuted = false
  const onFault = (fault: RowFault) => {
    if (isRefuted) return
    try {
      passing.onFault(fault)
    } catch {
      // Too many to keep; a reading with other settings may have fewer.
      isRefuted = true
    }
  }
  try {
    for await (const batch of copyCsv({ ...passing, onFault, watch: check })) {
      isRefuted ||= !check.isBorneOut()
      // Reads on, so that the next reading knows the whole profile.
      if (!isRefuted) yield batch
    }
  } catch (error) {
    throw error instanceof FileFault ? new ForecastRefuted(undefined) : error
  }
  const profile = check.settle()
  if (isRefuted || !profile || !check.isBorneOut()) throw new ForecastRefuted(profile)
  return profile
}
