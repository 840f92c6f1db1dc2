import { ConnectorError } from './connector-error.ts'

/**
 * Thrown when the checkpoint belongs to another file or table than there is now, or the source changed while it was read.
 * Discard what was loaded up to here, then read anew without a checkpoint. Without a load it is a problem to retry.
 */
export class SourceChanged extends ConnectorError {
  /** @param what - Such as a file's name. */
  constructor(what: string) {
    super('transient', `${what} changed while it was loaded`, { advice: 'It is read again automatically.' })
    this.name = 'SourceChanged'
  }
}
