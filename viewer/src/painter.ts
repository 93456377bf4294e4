// One way to draw, two targets: a canvas on the page and an SVG file.
import { escape } from './format';

export interface Painter {
  line(points: number[], color: string, width: number, dash: number[]): void;
  text(text: string, x: number, y: number, color: string, align: 'left' | 'center' | 'right', size: number): void;
  /// Upwards, its middle at the point.
  turnedText(text: string, x: number, y: number, color: string, size: number): void;
  rectangle(x: number, y: number, width: number, height: number, color: string): void;
  clip(x: number, y: number, width: number, height: number): void;
  unclip(): void;
}

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

export class CanvasPainter implements Painter {
  constructor(private readonly context: CanvasRenderingContext2D) {}
  /// On an empty canvas of this size, as fine as the screen.
  static on(canvas: HTMLCanvasElement, width: number, height: number): CanvasPainter {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
    const context = canvas.getContext('2d')!;
    context.scale(ratio, ratio);
    return new CanvasPainter(context);
  }
  line(points: number[], color: string, width: number, dash: number[]): void {
    const c = this.context;
    c.strokeStyle = color;
    c.lineWidth = width;
    c.setLineDash(dash);
    c.lineJoin = 'round';
    c.beginPath();
    for (let i = 0; i < points.length; i += 2) if (i) c.lineTo(points[i], points[i + 1]); else c.moveTo(points[i], points[i + 1]);
    c.stroke();
  }
  text(text: string, x: number, y: number, color: string, align: 'left' | 'center' | 'right', size: number): void {
    this.context.font = `${size}px ${font}`;
    this.context.fillStyle = color;
    this.context.textAlign = align;
    this.context.textBaseline = 'middle';
    this.context.fillText(text, x, y);
  }
  turnedText(text: string, x: number, y: number, color: string, size: number): void {
    this.context.save();
    this.context.translate(x, y);
    this.context.rotate(-Math.PI / 2);
    this.text(text, 0, 0, color, 'center', size);
    this.context.restore();
  }
  rectangle(x: number, y: number, width: number, height: number, color: string): void {
    this.context.fillStyle = color;
    this.context.fillRect(x, y, width, height);
  }
  clip(x: number, y: number, width: number, height: number): void {
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
  }
  unclip(): void { this.context.restore(); }
}

export class SvgPainter implements Painter {
  private readonly parts: string[] = [];
  private clips = 0;
  constructor(private readonly width: number, private readonly height: number) {}
  line(points: number[], color: string, width: number, dash: number[]): void {
    const list = points.map((x) => x.toFixed(2)).join(' ');
    this.parts.push(`<polyline points="${list}" fill="none" stroke="${color}" stroke-width="${width}"${dash.length ? ` stroke-dasharray="${dash.join(' ')}"` : ''} stroke-linejoin="round"/>`);
  }
  text(text: string, x: number, y: number, color: string, align: 'left' | 'center' | 'right', size: number): void {
    const anchor = { left: 'start', center: 'middle', right: 'end' }[align];
    this.parts.push(`<text x="${x.toFixed(2)}" y="${y.toFixed(2)}" fill="${color}" font-size="${size}" text-anchor="${anchor}" dominant-baseline="central">${escape(text)}</text>`);
  }
  turnedText(text: string, x: number, y: number, color: string, size: number): void {
    this.parts.push(`<g transform="translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(-90)">`);
    this.text(text, 0, 0, color, 'center', size);
    this.parts.push('</g>');
  }
  rectangle(x: number, y: number, width: number, height: number, color: string): void {
    this.parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${color}"/>`);
  }
  clip(x: number, y: number, width: number, height: number): void {
    const id = `clip${++this.clips}`;
    this.parts.push(`<clipPath id="${id}"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></clipPath><g clip-path="url(#${id})">`);
  }
  unclip(): void { this.parts.push('</g>'); }
  toString(): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}" font-family="${escape(font)}">\n${this.parts.join('\n')}\n</svg>\n`;
  }
}
