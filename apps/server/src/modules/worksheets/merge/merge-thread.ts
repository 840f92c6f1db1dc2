import { serveThread } from '../../../platform/threads/serve-thread.ts'
import { pullChanges } from './pull-changes.ts'

serveThread({ pullChanges })
