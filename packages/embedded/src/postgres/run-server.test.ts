import { expect, test } from 'vitest'
import { findFailureReason } from './run-server.ts'

test.each([
  [
    'what ended it, not that somebody asked too early',
    '10:00 FATAL:  the database system is starting up\n10:01 FATAL:  could not load server certificate file\n',
    'could not load server certificate file',
  ],
  [
    'a process that was killed from outside',
    '10:00 FATAL:  the database system is not yet accepting connections\n10:01 LOG:  startup process (PID 7) was terminated by signal 9: Killed\n',
    'startup process (PID 7) was terminated by signal 9: Killed',
  ],
  ['nothing', '10:00 LOG:  database system was interrupted\n', 'no reason was given'],
])('the log tells %s', (_, log, reason) => expect(findFailureReason(log)).toBe(reason))
