/**
 * Thrown before the first batch when the checkpoint belongs to another file or table than there is now. Discard what was
 * loaded up to the checkpoint, then read anew without it.
 */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged'

  /** @param what - Such as a file's name. */
  constructor(what: string) {
    super(`${what} changed while it was loaded`)
  }
}
