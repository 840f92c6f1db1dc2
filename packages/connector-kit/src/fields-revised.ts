/** Thrown by a provisional reading when later records need other fields. Discard everything read so far. */
export class FieldsRevised extends Error {
  override readonly name = 'FieldsRevised'
  /** For the next reading; undefined if it has to infer the fields itself. */
  readonly found: unknown

  constructor(found?: unknown, options?: ErrorOptions) {
    super('The fields of the reading turned out to be others.', options)
    this.found = found
  }
}
