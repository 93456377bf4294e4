/// Hostile files: depth, length and number are bounded, and what is said about them is short.
#include <filum/config/enclosing.hpp>
#include <filum/config/reader.hpp>
#include <filum/config/writer.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filum::config {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int k = 0; k < count; ++k) all += text;
  return all;
}

std::string message_of(const std::string& text) {
  try {
    parse_document(text, "a.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Depth, OfKeysIsLimitedWhereverTheyStand) {
  const std::string deep = repeated("a.", 400000) + "a = 1";
  EXPECT_THAT(message_of(deep), StartsWith("a.toml:1:"));
  EXPECT_THAT(message_of(deep), HasSubstr("more than 64 parts"));
  EXPECT_THAT(message_of("[" + repeated("a.", 400000) + "a]"), HasSubstr("more than 64 parts"));
  EXPECT_THAT(message_of("x = { p = '''a'''', " + deep + " }"), HasSubstr("more than 64 parts"));
  EXPECT_THAT(message_of("x = { p = \"\"\"a\\\"\"\"\"\"\", " + deep + " }"), HasSubstr("more than 64 parts"));
  EXPECT_THAT(message_of("x = { p = '''a\\''', " + deep + " }"), HasSubstr("more than 64 parts"));
  EXPECT_THAT(message_of("x = \"\"\"\nb\\\\\"\"\"\n" + deep), StartsWith("a.toml:3:"));
  EXPECT_EQ(message_of(repeated("a.", 60) + "a = 1"), "");
}

TEST(Depth, OfValuesIsLimited) {
  EXPECT_THAT(message_of("x = " + repeated("[", 100000)), HasSubstr("64 levels deep"));
  EXPECT_THAT(message_of("x = " + repeated("{ a = ", 100000)), HasSubstr("64 levels deep"));
  EXPECT_EQ(message_of("x = " + repeated("[", 50) + repeated("]", 50)), "");
}

TEST(Depth, IgnoresTextsAndComments) {
  EXPECT_EQ(message_of("x = '" + repeated(".", 1000) + "' # " + repeated(".", 1000)), "");
  EXPECT_EQ(message_of("x = '''" + repeated("[.", 1000) + "\n''y'''''\ny = \"" + repeated("{.", 1000) + "\\\"\""), "");
}

TEST(Characters, ThatAreNotAsciiBelongInQuotesAndComments) {
  EXPECT_THAT(message_of("x = 1\ngr\u00f6\u00dfe = 1"),
              StartsWith("a.toml:2:3: not valid TOML: a character that is not"));
  EXPECT_THAT(message_of("x = [1, \u0422\u04e4]"), HasSubstr("not ASCII"));
  EXPECT_THAT(message_of("x =\u00a01"), HasSubstr("another kind of space"));
  EXPECT_THAT(message_of("x = \"\"\"a \\\n  \u00e4\"\"\""), HasSubstr("try: the text in one line"));
  EXPECT_THAT(message_of("x = \"\"\"\\\u00e4\"\"\""), HasSubstr("a backslash before a character"));
  EXPECT_EQ(message_of("x = \"\"\"\u00e4 \\\n  a\\\\ \u00e4\"\"\""), "");
  EXPECT_THAT(message_of("x = 0\"\u2081\""), HasSubstr("not ASCII")) << "a number goes on up to a space";
  EXPECT_EQ(message_of("x = {'\u2081' = ['\u2081', # '\u2081'\n\t'\u2081']}\n[a.'\u2081']\n'\u2081' = 1"), "");
  EXPECT_EQ(message_of("\uFEFF'gr\u00f6\u00dfe' = \"\u0422\" # \u04e4\ny = \"\"\"\n\u00a0\"\"\""), "");
}

TEST(Symbols, OfAThousandLinksAreReadInOnePass) {
  std::string text = "[parameters]\n";
  for (int k = 0; k < 1000; ++k) text += "p" + std::to_string(k) + " = \"p" + std::to_string(k + 1) + " + 1\"\n";
  text += "p1000 = 1\n[functions]\n";
  for (int k = 0; k < 40; ++k) text += "f" + std::to_string(k) + " = \"f" + std::to_string(k + 1) + "(t) + 1\"\n";
  text += "f40 = \"t\"\n";
  const Node root = parse_document(text, "a.toml");
  ReadingContext context;
  Reader reader(context, *root.as<Table>(), root.place(), "");
  Symbols symbols;
  reader.symbols(symbols);
  EXPECT_TRUE(context.problems.empty());
  EXPECT_EQ(symbols.parameters.at("p0"), 1001);
  EXPECT_EQ(symbols.functions.at("f0")(2), 42);
}

TEST(Symbols, ThatAreNotNumbersAreRefused) {
  const Node root = parse_document("[functions]\nf = nan\ng = inf\n", "a.toml");
  ReadingContext context;
  Reader reader(context, *root.as<Table>(), root.place(), "");
  Symbols symbols;
  reader.symbols(symbols);
  ASSERT_EQ(context.problems.size(), 2U);
  EXPECT_THAT(context.problems[0].text(), HasSubstr("functions.f: expected a finite number, found nan"));
}

TEST(Writer, WritesNumbersThatReadBackExactly) {
  for (const double x : {123456789012345678901.0, 9223372036854775808.0, 1e22, -1e300, 5e-324, 0.1, 1e15, 1e16}) {
    const Node root = parse_document("x = " + format_value(Writer(), x), "a.toml");
    EXPECT_EQ(root.as<Table>()->find("x")->value.number(), x);
  }
}

TEST(Writer, WritesEveryCharacterSoThatItReadsBack) {
  std::string all;
  for (unsigned c = 0; c < 0x110000; c += c < 0x3000 ? 1 : 61) {
    if (c >= 0xD800 && c < 0xE000) continue;
    if (c < 0x80)
      all += static_cast<char>(c);
    else if (c < 0x800)
      all += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 63))};
    else if (c < 0x10000)
      all += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
              static_cast<char>(0x80 | (c & 63))};
    else
      all += {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 63)),
              static_cast<char>(0x80 | (c >> 6 & 63)), static_cast<char>(0x80 | (c & 63))};
  }
  const Node root = parse_document("x = " + toml_text(all), "a.toml");
  EXPECT_EQ(*root.as<Table>()->find("x")->value.as<std::string>(), all);
}

TEST(Overrides, AreUtf8) {
  Node root = parse_document("", "a.toml");
  std::vector<Problem> problems;
  for (const char* text : {"a=\xff", "a=\xc3", "a=\xed\xa0\x80", "a=\xc0\x80", "a=\xf4\x90\x80\x80"})
    apply_override(root, text, {}, problems);
  EXPECT_EQ(problems.size(), 5U);
  apply_override(root, "a=\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", {}, problems);
  EXPECT_EQ(problems.size(), 5U);
}

TEST(Messages, StayShort) {
  const std::string long_word(100000, 'x');
  EXPECT_LT((Problem{{"a.toml", 1, 1}, long_word, long_word}).text().size(), 3000U);
  Words words;
  for (int k = 0; k < 10000; ++k) words.push_back("word" + std::to_string(k));
  EXPECT_THAT(alternatives(words), HasSubstr("or one of 9960 more"));
  EXPECT_EQ(alternatives({"a", "b", "c"}), "'a', 'b' or 'c'");
}

TEST(Enclosing, KnowsWhatIsInsideAndAround) {
  const Enclosing keys({{{}, "beam.rod.to[1]", ""}, {{}, "time", ""}});
  EXPECT_TRUE(keys.contains("beam.rod.to[1]"));
  EXPECT_TRUE(keys.contains("beam.rod"));
  EXPECT_FALSE(keys.contains("beam.ro"));
  EXPECT_FALSE(keys.contains("time.step"));
  EXPECT_TRUE(keys.concerns("time.step"));
  EXPECT_FALSE(keys.concerns("timer"));
}

}  // namespace
}  // namespace filum::config
