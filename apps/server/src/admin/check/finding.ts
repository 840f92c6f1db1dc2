import type { Installation } from '../open-installation.ts'

export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly detail: string
  readonly advice?: string
}

export type Check = (installation: Installation) => Promise<Finding[]>

export const formatFinding = ({ check, status, detail, advice }: Finding) =>
  `${status.padEnd(9)}${check.padEnd(22)}${detail}${advice === undefined ? '' : `. ${advice}`}`
