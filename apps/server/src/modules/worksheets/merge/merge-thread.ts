import { serveThread } from '../../../platform/threads/serve-thread.ts'
import { mergeText } from './merge-text.ts'
import { pullChanges } from './pull-changes.ts'

serveThread({ pullChanges, mergeText })
