export const CANCELLED_PROBLEM = { kind: 'cancelled', message: 'The run was cancelled.', advice: null, subtask: null }
