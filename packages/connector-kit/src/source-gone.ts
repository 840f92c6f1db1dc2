import { ConnectorError } from './connector-error.ts'

/**
 * Thrown when nothing of what was to be read is there, as no file of a folder is. What an unfinished load has of it is
 * discarded, since a load from the beginning would have nothing either.
 */
export class SourceGone extends ConnectorError {
  constructor(message: string, advice?: string) {
    super('configuration', message, advice === undefined ? {} : { advice })
    this.name = 'SourceGone'
  }
}
