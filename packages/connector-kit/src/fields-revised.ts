/** The rows of a provisional reading need other fields than it has. Nothing that was made of it may be kept. */
export class FieldsRevised extends Error {
  override readonly name = 'FieldsRevised'
  /** For the next reading; nothing where it has to find out by itself. */
  readonly found: unknown

  constructor(found?: unknown) {
    super('The fields of the reading turned out to be others.')
    this.found = found
  }
}
