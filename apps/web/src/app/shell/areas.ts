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

/** One line of the sidebar. A feature adds itself here when its screen exists, never before. */
export interface Area {
  title: string
  icon: LucideIcon
  /** Below `/{account}/{workspace}` for workspace areas, the whole path for the others. */
  path: string
  /** Pages of the area that stand under another word, as one thing does beside the list of them. */
  also?: string
  /** Press G, then this letter. */
  letter?: string
  group?: string
}

/** Seen wherever one is signed in. */
export const homeAreas: readonly Area[] = [{ title: 'Workspaces', icon: Boxes, path: '/workspaces', letter: 'w' }]

/** Seen inside a workspace, in this order. The first is where entering a workspace leads. */
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

/** At the foot of the sidebar. */
export const helpAreas: readonly Area[] = [{ title: 'API reference', icon: BookOpenText, path: '/docs', letter: 'd' }]
