import { serveThread } from '../../../platform/threads/serve-thread.ts'
import { grammarTasks } from './grammar-tasks.ts'

serveThread(grammarTasks)
