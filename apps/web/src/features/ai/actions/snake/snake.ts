export const SNAKE_COLUMNS = 20
export const SNAKE_ROWS = 14
const START_LENGTH = 3

interface Cell {
  readonly x: number
  readonly y: number
}
export type Direction = 'up' | 'down' | 'left' | 'right'

export interface SnakeGame {
  readonly snake: readonly Cell[]
  readonly direction: Direction
  /** A queue: turns may come faster than the snake moves. */
  readonly turns: readonly Direction[]
  /** Null when the field is full. */
  readonly food: Cell | null
  readonly score: number
  readonly isOver: boolean
}

const STEPS: Readonly<Record<Direction, Cell>> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
}
const MAX_TURNS = 3

const isSame = (cell: Cell, other: Cell): boolean => cell.x === other.x && cell.y === other.y
const isOnSnake = (snake: readonly Cell[], cell: Cell): boolean => snake.some((item) => isSame(item, cell))
const isInside = ({ x, y }: Cell): boolean => x >= 0 && y >= 0 && x < SNAKE_COLUMNS && y < SNAKE_ROWS
const isReverse = (direction: Direction, other: Direction): boolean =>
  STEPS[direction].x === -STEPS[other].x && STEPS[direction].y === -STEPS[other].y

export function createSnakeGame(random: () => number): SnakeGame {
  const y = Math.floor(SNAKE_ROWS / 2)
  const head = Math.floor(SNAKE_COLUMNS / 4)
  const snake = Array.from({ length: START_LENGTH }, (_, index) => ({ x: head - index, y }))
  return { snake, direction: 'right', turns: [], food: findFreeCell(snake, random), score: 0, isOver: false }
}

function findFreeCell(snake: readonly Cell[], random: () => number): Cell | null {
  const free = Array.from({ length: SNAKE_COLUMNS * SNAKE_ROWS }, (_, index) => ({
    x: index % SNAKE_COLUMNS,
    y: Math.floor(index / SNAKE_COLUMNS),
  })).filter((cell) => !isOnSnake(snake, cell))
  return free[Math.floor(random() * free.length)] ?? null
}

/** Ignores a turn back into itself. */
export function turnSnake(game: SnakeGame, direction: Direction): SnakeGame {
  const last = game.turns.at(-1) ?? game.direction
  if (direction === last || isReverse(direction, last) || game.turns.length >= MAX_TURNS) return game
  return { ...game, turns: [...game.turns, direction] }
}

export function moveSnake(game: SnakeGame, random: () => number): SnakeGame {
  const [head] = game.snake
  if (game.isOver || !head) return game
  const [direction = game.direction, ...turns] = game.turns
  const next = { x: head.x + STEPS[direction].x, y: head.y + STEPS[direction].y }
  const isFed = game.food !== null && isSame(next, game.food)
  // The tail leaves its cell in the same step.
  const body = isFed ? game.snake : game.snake.slice(0, -1)
  if (!isInside(next) || isOnSnake(body, next)) return { ...game, direction, turns, isOver: true }
  const snake = [next, ...body]
  const food = isFed ? findFreeCell(snake, random) : game.food
  return { snake, direction, turns, food, score: game.score + (isFed ? 1 : 0), isOver: food === null }
}
