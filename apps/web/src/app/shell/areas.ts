import {
  Activity,
  BookOpenText,
  Boxes,
  ChartNoAxesColumn,
  Database,
  FileCode2,
  FlaskConical,
  LayoutDashboard,
  Plug,
  Settings,
  Sparkle,
  Sparkles,
  Workflow,
  type LucideIcon,
} from 'lucide-react'

export interface Area {
  title: string
  icon: LucideIcon
  /** Relative to `/{account}/{workspace}` for workspace areas, absolute for the others. */
  path: string
  /** Path prefixes that belong to the area too, such as that of a single item. */
  also?: string
  letter?: string
  group?: string
}

export const homeAreas: readonly Area[] = [{ title: 'Workspaces', icon: Boxes, path: '/workspaces', letter: 'w' }]

/** In order of display. Entering a workspace opens the first. */
export const workspaceAreas: readonly Area[] = [
  { title: 'Dashboard', icon: LayoutDashboard, path: '/dashboard', letter: 'h' },
  { title: 'Explorer', icon: Database, path: '/explorer', letter: 'e' },
  { title: 'Worksheets', icon: FileCode2, path: '/explorer/worksheets', also: '/explorer/project', letter: 'q' },
  { title: 'Queries', icon: Activity, path: '/explorer/queries', letter: 'r' },
  { title: 'Integrations', icon: Plug, path: '/integrations', letter: 'i' },
  { title: 'Dataflows', icon: Workflow, path: '/dataflows', also: '/dataflow', letter: 'f' },
  { title: 'AI', icon: Sparkles, path: '/ai', letter: 'a' },
  { title: 'Sparks', icon: Sparkle, path: '/sparks', letter: 'p' },
  { title: 'Sandbox', icon: FlaskConical, path: '/sandbox', letter: 'b' },
  { title: 'Utilization', icon: ChartNoAxesColumn, path: '/utilization', letter: 'u' },
  { title: 'Workspace settings', icon: Settings, path: '/settings', letter: 's' },
]

export const helpAreas: readonly Area[] = [{ title: 'API reference', icon: BookOpenText, path: '/docs', letter: 'd' }]
