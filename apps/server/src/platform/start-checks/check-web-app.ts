import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type StartCheck, passCheck, warn } from './start-check.ts'

const WEB_FOLDER = join(import.meta.dirname, '../../../../web/dist')

/** The build writes the list of pages last. */
export const findWebFolder = (): string | undefined =>
  existsSync(join(WEB_FOLDER, 'pages.json')) ? WEB_FOLDER : undefined

export const checkWebApp: StartCheck = () =>
  findWebFolder() === undefined
    ? warn('The web app is not built: only the API answers', 'Run npm run build, and start Trellis again.')
    : passCheck('the web app is built')
