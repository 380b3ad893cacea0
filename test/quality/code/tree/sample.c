/* int fake(void) {} */
#include <stdio.h>
#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef struct point {
  int x, y;
} point_t;
typedef struct { char *name; } anonymous_t;
typedef int (*callback)(int, void *);
typedef unsigned long ulong_t;
struct node {
  struct node *next;
  int (*compare)(const void *, const void *);
};
union value { int i; float f; };
enum colour { RED, GREEN = 2 };
typedef enum { ON, OFF } state_t;

int declared(int a, char *b);
extern void *allocate(size_t size);

/* Adds two numbers. */
static inline int add(int a, int b) {
  const char *s = "int in_string(void) {}";
  // int in_comment(void) {}
  return a + b;
}
char *
duplicate(const char *text)
{
  return 0;
}
struct node **find(struct node *n) { return 0; }
int (*pick(int which))(int, int) { return 0; }
static int old_style(a, b) int a; char *b; { return a; }
#ifdef WINDOWS
int platform(void) { return 1; }
#else
int platform(void) { return 2; }
#endif
int (parenthesised)(int a) { return a; }
static const int table[] = { 1, 2 };
__attribute__((noreturn)) void die(const char *format, ...) { for (;;); }
