// A picture as an SVG file, and as PNG.
import { escape } from './format';

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
type Align = 'left' | 'center' | 'right';

export class SvgPicture {
  private readonly parts: string[] = [];
  private clips = 0;
  constructor(readonly width: number, readonly height: number) { this.rectangle(0, 0, width, height, '#ffffff'); }
  line(points: number[], color: string, width: number, dash: number[] = [], fill = 'none'): void {
    const list = points.map((x) => x.toFixed(2)).join(' ');
    this.parts.push(`<polyline points="${list}" fill="${fill}" stroke="${color}" stroke-width="${width}"${dash.length ? ` stroke-dasharray="${dash.join(' ')}"` : ''} stroke-linejoin="round"/>`);
  }
  text(text: string, x: number, y: number, color: string, align: Align, size: number): void {
    const anchor = { left: 'start', center: 'middle', right: 'end' }[align];
    this.parts.push(`<text x="${x.toFixed(2)}" y="${y.toFixed(2)}" fill="${color}" font-size="${size}" text-anchor="${anchor}" dominant-baseline="central">${escape(text)}</text>`);
  }
  /// Upwards, its middle at the point.
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

  async png(ratio = 2): Promise<Blob> {
    const image = new Image(), canvas = document.createElement('canvas');
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.toString())}`;
    await image.decode();
    canvas.width = ratio * this.width;
    canvas.height = ratio * this.height;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob((blob) => done(blob!)));
  }
}
