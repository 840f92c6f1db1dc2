/** Tests, benches and their helpers may import anything; shipped code must not import them. */
export const TEST =
  /^(?:bench|chaos|e2e)\/|^playwright\.config\.ts$|\.test\.tsx?$|(^|\/)testing(\.ts$|\/)|-samples\.ts$|\/local-server\.ts$/

/** A package missing here fails the check. */
export const PACKAGES: Record<string, { packages: readonly string[]; isPure?: true; libraries?: readonly string[] }> = {
  contract: { packages: [], isPure: true },
  'postgres-client': { packages: [] },
  'control-db': { packages: ['postgres-client'] },
  'workspace-db': { packages: ['postgres-client'] },
  embedded: { packages: [] },
  'payment-sandbox': { packages: ['postgres-client'] },
  'table-files': { packages: ['contract'] },
  jobs: { packages: ['control-db', 'postgres-client'] },
  'connector-kit': { packages: ['contract'], isPure: true },
  'dataflow-engine': { packages: ['contract'], isPure: true, libraries: ['temporal-polyfill', 'yaml', 'zod'] },
  sandbox: { packages: [] },
  'sql-grammar': { packages: [], isPure: true, libraries: ['libpg-query'] },
  'sql-guard': { packages: ['sql-grammar', 'workspace-db'] },
  assistant: { packages: ['contract'], isPure: true },
  loads: { packages: ['contract', 'workspace-db'] },
  connectors: { packages: ['connector-kit', 'contract', 'table-files'] },
}

export interface Rule {
  name: string
  why: string
  /** `(?<own>…)` can be used as `<own>` below. */
  from: RegExp
  never: string
  except?: string
}

export const RULES: readonly Rule[] = [
  {
    name: 'nothing-imports-apps',
    why: 'Packages and connectors serve the apps; the other way round they could not be used or tested alone.',
    from: /^(packages|connectors)\//,
    never: '^apps/',
  },
  {
    name: 'connectors-apart',
    why: 'A connector is a folder that can be added or taken away; what several need stands in a folder of its own.',
    from: /^packages\/connectors\/src\/(?<own>[^/]+)\//,
    never: '^packages/connectors/src/',
    except: '^packages/connectors/src/(<own>|shared)/',
  },
  {
    name: 'platforms-by-the-registry',
    why: 'Nobody outside a connector knows its platform by name.',
    from: /^apps\/server\/src\//,
    never: '^packages/connectors/src/',
    except: '^packages/connectors/src/registry\\.ts$',
  },
  {
    name: 'load-plan-pure',
    why: 'What a load does is decided from values alone, so that it can be tested without a database.',
    from: /^packages\/loads\/src\/plan\//,
    never: '^(packages/|node:)',
    except: '^packages/(contract/|loads/src/plan/)',
  },
  {
    name: 'server-without-web',
    why: 'The server serves the built pages as files and knows nothing of them.',
    from: /^apps\/server\//,
    never: '^apps/web/',
  },
  {
    name: 'web-knows-the-contract-alone',
    why: 'What the browser loads must not hold server code or reach for Node.',
    from: /^apps\/web\/src\//,
    never: '^(packages/|apps/server/|node:)',
    except: '^packages/(contract|sql-grammar)/',
  },
  {
    name: 'cli-knows-contract-and-files',
    why: 'The command line is a client like any other: besides reading files, what it can not do by a call, it can not do.',
    from: /^apps\/cli\/src\//,
    never: '^(packages/|apps/(server|web)/)',
    except: '^packages/(contract/|dataflow-engine/src/flow-file/)',
  },
  {
    name: 'platform-at-the-bottom',
    why: 'Ports and settings are used by everything, so they may use none of it.',
    from: /^apps\/server\/src\/platform\//,
    never: '^apps/server/src/(http|modules|supervisor)/',
  },
  {
    name: 'http-calls-services',
    why: 'HTTP calls use cases, never their insides.',
    from: /^apps\/server\/src\/http\//,
    never: '^apps/server/src/(modules|supervisor)/',
    except: '\\.service\\.ts$|/all-routes\\.ts$',
  },
  {
    name: 'modules-behind-their-service',
    why: 'A use case must run the same from a job; only the glue in *.routes.ts knows of HTTP.',
    from: /^apps\/server\/src\/modules\//,
    never: '^apps/server/src/(http|supervisor)/',
    except: '/http/handle\\.ts$',
  },
  {
    name: 'module-private-parts',
    why: 'Other modules may use a *.service.ts or *.events.ts; repositories, routes and single use cases are private.',
    from: /^apps\/server\/src\/modules\/(?<own>[^/]+)\//,
    never: '^apps/server/src/modules/[^/]+/',
    except: '^apps/server/src/modules/<own>/|\\.(service|events)\\.ts$',
  },
  {
    name: 'runner-below-work',
    why: 'The runner leases, counts and ends runs of any work; what an attempt does, its fence and its events are handed in.',
    from: /^apps\/server\/src\/modules\/runs\/runner\//,
    never: '^apps/server/src/modules/runs/(?!runner/)',
  },
  {
    name: 'repository-calls-nobody',
    why: 'Calls go route, use case, repository, and straight back.',
    from: /^apps\/server\/src\/modules\/.*\.repository\.ts$/,
    never: '\\.(service|routes|jobs|handler)\\.ts$',
  },
  {
    name: 'service-below-routes',
    why: 'Calls go route, use case, repository, and straight back.',
    from: /^apps\/server\/src\/modules\/.*\.service\.ts$/,
    never: '\\.routes\\.ts$',
  },
  {
    name: 'ui-at-the-bottom',
    why: 'The design system shows what it is given; it asks no server and knows no feature.',
    from: /^apps\/web\/src\/ui\//,
    never: '^apps/web/src/(?!ui/)|^packages/|^npm:@tanstack/react-query$',
  },
  {
    name: 'api-at-the-bottom',
    why: 'Calls are made the same way from every screen.',
    from: /^apps\/web\/src\/api\//,
    never: '^apps/web/src/(app|auth|features|formas|ui)/',
  },
  {
    name: 'formas-below-screens',
    why: 'One renderer draws the forms of every feature; what belongs to a screen is handed to it.',
    from: /^apps\/web\/src\/formas\//,
    never: '^apps/web/src/(app|auth|features)/',
  },
  {
    name: 'charts-below-screens',
    why: 'Worksheets, answers, sparks and the dashboard draw the same charts; where their rows come from is theirs to know.',
    from: /^apps\/web\/src\/charts\//,
    never: '^apps/web/src/(app|auth|features|formas|running)/|^npm:@tanstack/react-query$',
  },
  {
    name: 'running-below-screens',
    why: 'A block is run, and its trigger explained, in the same way from the canvas, its set-up and the lists of runs.',
    from: /^apps\/web\/src\/running\//,
    never: '^apps/web/src/(auth|features)/',
  },
  {
    name: 'connecting-below-screens',
    why: 'A system is connected with the same form on its own page and at the start of a dataflow.',
    from: /^apps\/web\/src\/connecting\//,
    never: '^apps/web/src/(auth|features)/',
  },
  {
    name: 'sql-language-below-screens',
    why: 'Worksheets and dataflows write SQL with the same completion and checks; most of it runs in a worker.',
    from: /^apps\/web\/src\/sql-language\//,
    never: '^apps/web/src/(app|auth|features)/',
  },
  {
    name: 'spark-frame-alone',
    why: 'It runs code nobody has read in an origin of its own: it asks no server and knows no screen.',
    from: /^apps\/web\/src\/spark-frame\//,
    never: '^apps/web/src/(?!spark-frame/|charts/|ui/)|^npm:(@tanstack/react-query|react-router)$',
  },
  {
    name: 'spark-host-below-screens',
    why: 'The page of a spark, its editor and the dashboard show sparks in the same frame.',
    from: /^apps\/web\/src\/spark-host\//,
    never: '^apps/web/src/(app|auth|features|spark-frame)/',
  },
  {
    name: 'features-apart',
    why: 'A feature may ask the questions of another (*.queries.ts); its components are private.',
    from: /^apps\/web\/src\/features\/(?<own>[^/]+)\//,
    never: '^apps/web/src/(features/[^/]+|auth)/',
    except: '^apps/web/src/features/<own>/|\\.queries\\.ts$',
  },
  {
    name: 'auth-before-the-shell',
    why: 'The sign-in pages load before anything of the product behind them.',
    from: /^apps\/web\/src\/auth\//,
    never: '^apps/web/src/(features/|formas/|app/(?!session/))',
  },
]

export interface ReachRule {
  name: string
  why: string
  starts: RegExp
  never: RegExp
}

/** By any path, without type-only and lazy imports. */
export const REACH_RULES: readonly ReachRule[] = [
  {
    name: 'auth-stays-light',
    why: 'The sign-in pages have a budget of 90 KB; each of these libraries alone would break it.',
    starts: /^apps\/web\/src\/auth\//,
    never: /^npm:(@tanstack\/|@sentry\/|react-router$|cmdk$)/,
  },
]
